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
