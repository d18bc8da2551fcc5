Creator "igraph version 1.0.0 Mon Nov 16 06:52:08 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "p0"
    part 0
  ]
  node
  [
    id 1
    name "p1"
    part 1
  ]
  node
  [
    id 2
    name "p2"
    part 2
  ]
  node
  [
    id 3
    name "p3"
    part 0
  ]
  node
  [
    id 4
    name "p4"
    part 1
  ]
  node
  [
    id 5
    name "p5"
    part 2
  ]
  node
  [
    id 6
    name "p6"
    part 0
  ]
  node
  [
    id 7
    name "p7"
    part 1
  ]
  node
  [
    id 8
    name "p8"
    part 2
  ]
  node
  [
    id 9
    name "p9"
    part 0
  ]
  node
  [
    id 10
    name "p10"
    part 1
  ]
  node
  [
    id 11
    name "p11"
    part 2
  ]
  node
  [
    id 12
    name "p12"
    part 0
  ]
  node
  [
    id 13
    name "p13"
    part 1
  ]
  node
  [
    id 14
    name "p14"
    part 2
  ]
  node
  [
    id 15
    name "p15"
    part 0
  ]
  node
  [
    id 16
    name "p16"
    part 1
  ]
  node
  [
    id 17
    name "p17"
    part 2
  ]
  node
  [
    id 18
    name "p18"
    part 0
  ]
  node
  [
    id 19
    name "p19"
    part 1
  ]
  node
  [
    id 20
    name "p20"
    part 2
  ]
  node
  [
    id 21
    name "p21"
    part 0
  ]
  node
  [
    id 22
    name "p22"
    part 1
  ]
  node
  [
    id 23
    name "p23"
    part 2
  ]
  node
  [
    id 24
    name "p24"
    part 0
  ]
  node
  [
    id 25
    name "p25"
    part 1
  ]
  node
  [
    id 26
    name "p26"
    part 2
  ]
  node
  [
    id 27
    name "p27"
    part 0
  ]
  node
  [
    id 28
    name "p28"
    part 1
  ]
  node
  [
    id 29
    name "p29"
    part 2
  ]
  node
  [
    id 30
    name "p30"
    part 0
  ]
  node
  [
    id 31
    name "p31"
    part 1
  ]
  node
  [
    id 32
    name "p32"
    part 2
  ]
  node
  [
    id 33
    name "p33"
    part 0
  ]
  edge
  [
    source 1
    target 0
    weight 1.5
  ]
  edge
  [
    source 2
    target 0
    weight 1.5
  ]
  edge
  [
    source 3
    target 0
    weight 1.5
  ]
  edge
  [
    source 4
    target 0
    weight 1.5
  ]
  edge
  [
    source 5
    target 0
    weight 1.5
  ]
  edge
  [
    source 6
    target 0
    weight 1.5
  ]
  edge
  [
    source 7
    target 0
    weight 1.5
  ]
  edge
  [
    source 8
    target 0
    weight 1.5
  ]
  edge
  [
    source 10
    target 0
    weight 1.5
  ]
  edge
  [
    source 11
    target 0
    weight 1.5
  ]
  edge
  [
    source 12
    target 0
    weight 1.5
  ]
  edge
  [
    source 13
    target 0
    weight 1.5
  ]
  edge
  [
    source 17
    target 0
    weight 1.5
  ]
  edge
  [
    source 19
    target 0
    weight 1.5
  ]
  edge
  [
    source 21
    target 0
    weight 1.5
  ]
  edge
  [
    source 31
    target 0
    weight 1.5
  ]
  edge
  [
    source 2
    target 1
    weight 1.5
  ]
  edge
  [
    source 3
    target 1
    weight 1.5
  ]
  edge
  [
    source 7
    target 1
    weight 1.5
  ]
  edge
  [
    source 13
    target 1
    weight 1.5
  ]
  edge
  [
    source 17
    target 1
    weight 1.5
  ]
  edge
  [
    source 19
    target 1
    weight 1.5
  ]
  edge
  [
    source 21
    target 1
    weight 1.5
  ]
  edge
  [
    source 30
    target 1
    weight 1.5
  ]
  edge
  [
    source 3
    target 2
    weight 1.5
  ]
  edge
  [
    source 7
    target 2
    weight 1.5
  ]
  edge
  [
    source 27
    target 2
    weight 1.5
  ]
  edge
  [
    source 28
    target 2
    weight 1.5
  ]
  edge
  [
    source 32
    target 2
    weight 1.5
  ]
  edge
  [
    source 9
    target 2
    weight 1.5
  ]
  edge
  [
    source 8
    target 2
    weight 1.5
  ]
  edge
  [
    source 13
    target 2
    weight 1.5
  ]
  edge
  [
    source 7
    target 3
    weight 1.5
  ]
  edge
  [
    source 12
    target 3
    weight 1.5
  ]
  edge
  [
    source 13
    target 3
    weight 1.5
  ]
  edge
  [
    source 6
    target 4
    weight 1.5
  ]
  edge
  [
    source 10
    target 4
    weight 1.5
  ]
  edge
  [
    source 6
    target 5
    weight 1.5
  ]
  edge
  [
    source 10
    target 5
    weight 1.5
  ]
  edge
  [
    source 16
    target 5
    weight 1.5
  ]
  edge
  [
    source 16
    target 6
    weight 1.5
  ]
  edge
  [
    source 30
    target 8
    weight 1.5
  ]
  edge
  [
    source 32
    target 8
    weight 1.5
  ]
  edge
  [
    source 33
    target 8
    weight 1.5
  ]
  edge
  [
    source 33
    target 9
    weight 1.5
  ]
  edge
  [
    source 33
    target 13
    weight 1.5
  ]
  edge
  [
    source 32
    target 14
    weight 1.5
  ]
  edge
  [
    source 33
    target 14
    weight 1.5
  ]
  edge
  [
    source 32
    target 15
    weight 1.5
  ]
  edge
  [
    source 33
    target 15
    weight 1.5
  ]
  edge
  [
    source 32
    target 18
    weight 1.5
  ]
  edge
  [
    source 33
    target 18
    weight 1.5
  ]
  edge
  [
    source 33
    target 19
    weight 1.5
  ]
  edge
  [
    source 32
    target 20
    weight 1.5
  ]
  edge
  [
    source 33
    target 20
    weight 1.5
  ]
  edge
  [
    source 32
    target 22
    weight 1.5
  ]
  edge
  [
    source 33
    target 22
    weight 1.5
  ]
  edge
  [
    source 25
    target 23
    weight 1.5
  ]
  edge
  [
    source 27
    target 23
    weight 1.5
  ]
  edge
  [
    source 32
    target 23
    weight 1.5
  ]
  edge
  [
    source 33
    target 23
    weight 1.5
  ]
  edge
  [
    source 29
    target 23
    weight 1.5
  ]
  edge
  [
    source 25
    target 24
    weight 1.5
  ]
  edge
  [
    source 27
    target 24
    weight 1.5
  ]
  edge
  [
    source 31
    target 24
    weight 1.5
  ]
  edge
  [
    source 31
    target 25
    weight 1.5
  ]
  edge
  [
    source 29
    target 26
    weight 1.5
  ]
  edge
  [
    source 33
    target 26
    weight 1.5
  ]
  edge
  [
    source 33
    target 27
    weight 1.5
  ]
  edge
  [
    source 31
    target 28
    weight 1.5
  ]
  edge
  [
    source 33
    target 28
    weight 1.5
  ]
  edge
  [
    source 32
    target 29
    weight 1.5
  ]
  edge
  [
    source 33
    target 29
    weight 1.5
  ]
  edge
  [
    source 32
    target 30
    weight 1.5
  ]
  edge
  [
    source 33
    target 30
    weight 1.5
  ]
  edge
  [
    source 32
    target 31
    weight 1.5
  ]
  edge
  [
    source 33
    target 31
    weight 1.5
  ]
  edge
  [
    source 33
    target 32
    weight 1.5
  ]
]
