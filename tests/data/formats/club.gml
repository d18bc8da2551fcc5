graph [
  node [
    id 0
    label "ann"
    age 31
    active 1
    class "red"
    motto "of red"
  ]
  node [
    id 1
    label "bob"
    age 28
    active 0
    class "blue"
    motto "of blue"
  ]
  node [
    id 2
    label "zo&#235; &#34;z&#34;"
    age 40
    active 1
    class "red"
    motto "of red"
  ]
  node [
    id 3
    label "dan"
    age 55
    active 0
    class "blue"
    motto "of blue"
  ]
  node [
    id 4
    label "eve"
    active 1
    class "red"
    motto "of red"
  ]
  edge [
    source 0
    target 1
    weight 2.5
    kind "friend"
  ]
  edge [
    source 0
    target 2
    weight 0.5
    kind "work"
  ]
  edge [
    source 0
    target 3
    kind "friend"
  ]
  edge [
    source 1
    target 2
    weight 1.0
    kind "work"
  ]
]
