"""A game that pairs of players win, for tests of all that knows of winners."""

PARTNERS = """ruleset partners-1.0 "Partners"
players Seat
type Seat = North | East | South | West
state
  points[Seat] : 0..20
define partner(s: Seat) = nth(Seat, if ordinal(s) > 2 then ordinal(s) - 2 else ordinal(s) + 2)
define pair_of(s: Seat) = {s, partner(s)}
action take(n: 1..6) §1 "Take points."
  permit
  points[actor] += n
phase game §1 "The pair with more points wins."
  for i in 1..3
    for s in Seat
      choose s: take
  step count
    let ours = points[North] + points[South]
    let theirs = points[East] + points[West]
    if ours = 17
      win {s in Seat where points[s] > 8}
    elif ours > theirs + 1
      win partner(South), South
    elif theirs > ours
      win pair_of(if points[East] < points[West] then West else East)
    elif theirs = ours
      win {s in Seat where points[s] = 20 and points[North] = 0}
    elif points[North] > 12
      win none
    else
      win if points[North] > 4 then North else none
scenario table §1 "A table"
  game()
label fr
  North = "Nord"
  East = "Est"
  South = "Sud"
  West = "Ouest"
label es
  North = "Norte"
  East = "Este"
  South = "Sur"
  West = "Oeste"
"""
