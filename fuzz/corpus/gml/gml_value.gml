Creator "Mark Newman"
graph
[
  directed 0
  node [ id 10 label "a" graphics [ x 1 y 2 ] ]
  node [ id 7 label "a" ]   # the same again
  node [ label "&#98;" id 3 ]
  edge [ source 10 target 7 value 4 ]
  edge [ target 3 source 7 value 1 ]
]
