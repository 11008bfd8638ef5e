------------------------------- MODULE Backoff -------------------------------
(***************************************************************************)
(* The timed backoff mutex, all servers asked: who holds the lock when, in *)
(* true time. See docs/backoff.md and docs/tla.md.                         *)
(*                                                                         *)
(* Time passes in steps and clocks do not drift; only what is left of each *)
(* interval is kept, so time has no end. A message arrives at any time     *)
(* after it was sent, often or never. An attempt is a rank of its own, and *)
(* ranks need not be in the order in which attempts begin, but for those   *)
(* of one client. Clients may stop for ever at any time.                   *)
(*                                                                         *)
(* Correct servers are alike, so only how many are in each condition is    *)
(* kept. The B servers that lie grant everything to everybody at any time, *)
(* for the newest request: nothing else that they say lets anybody in.     *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  N,         \* servers
  B,         \* servers that lie
  ClientOf,  \* the client of each attempt; the number of an attempt is its rank
  Hold,      \* what is left of a lease when its client enters, at the least
  Window,    \* what a lease has beyond that
  Requests,  \* the most requests of one attempt: the first, refreshes, renewals
  Restarts,  \* how often servers restart
  Bug        \* "none", or the name of a mistake that must be noticed

\* For the configurations, which cannot have sequences.
OneTwo == <<1, 2>>
OneOneTwo == <<1, 1, 2>>
OneTwoOne == <<1, 2, 1>>

Attempts == 1..Len(ClientOf)
Correct == N - B

\* What is left of a lease when it begins. It is good at its last instant, too.
Lease == Hold + Window + 1

\* Two sets of so many servers share a correct one.
Grants == (N + B + 2) \div 2 - (IF Bug = "one grant less" THEN 1 ELSE 0)
Need == Grants - B

VARIABLES
  attempt,  \* of each attempt: its phase, its requests, what is left of its lease
  servers,  \* the correct servers: pairs of a condition and a number from 1
  restarts, \* how often servers restarted
  fence,    \* the highest rank that has held the lock
  alarm     \* "none", or which promise an entry broke

vars == <<attempt, servers, restarts, fence, alarm>>

Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b
Less(t) == IF t > 0 THEN t - 1 ELSE 0

----------------------------------------------------------------------------
(* Conditions of servers. named: the newest request of each attempt that a  *)
(* FREE to it has named; that FREE may still be on its way.                 *)

Fresh ==
  [last |-> 0, lastIsKnown |-> TRUE, lastIsReleased |-> FALSE,
   owner |-> 0, number |-> 0, left |-> 0, quarantine |-> 0,
   waiting |-> [a \in Attempts |-> 0], withdrawn |-> {},
   named |-> [a \in Attempts |-> 0]]

Conditions(all) == {x[1] : x \in all}

Count(all, c) == Cardinality({x \in all : x[1] = c})

\* One server goes from a condition to another.
Moved(all, from, to) ==
  (all \ {<<from, Count(all, from)>>}) \union {<<to, Count(all, to) + 1>>}

\* All servers change at once.
Changed(all, To(_)) ==
  LET Alike(c) == Cardinality({x \in all : To(x[1]) = c})
  IN UNION {{<<c, i>> : i \in 1..Alike(c)} : c \in {To(x[1]) : x \in all}}

Granted(c, a, k) ==
  [c EXCEPT !.last = Max(@, a), !.lastIsKnown = TRUE, !.lastIsReleased = FALSE,
            !.owner = a, !.number = k, !.left = Lease,
            !.withdrawn = {w \in @ : w > Max(c.last, a)},
            !.named[a] = IF attempt[a].phase = "over" THEN 0 ELSE Max(@, k)]

Freed(c) == [c EXCEPT !.owner = 0, !.number = 0, !.left = 0, !.lastIsReleased = TRUE]

\* What comes before everything else that a server does: the lowest of those
\* who wait gets a lock that is free, and those whose rank was passed leave.
Served(c) ==
  LET remain == {a \in Attempts : c.waiting[a] > 0 /\ a > c.last}
      first == CHOOSE a \in remain : \A b \in remain : a <= b
      Without(all) == [a \in Attempts |-> IF a \in all THEN c.waiting[a] ELSE 0]
  IN IF c.owner # 0 \/ c.quarantine > 0 THEN c
     ELSE IF remain = {} THEN [c EXCEPT !.waiting = Without({})]
     ELSE Granted([c EXCEPT !.waiting = Without(remain \ {first})], first, c.waiting[first])

----------------------------------------------------------------------------
(* Servers: each takes a condition and a message and gives a condition. *)

AfterTry(before, a, k) ==
  LET c1 == Served(before)
      isOlder == c1.owner # 0 /\ c1.owner < a /\ ClientOf[c1.owner] = ClientOf[a]
      c == IF isOlder THEN Served(Freed(c1)) ELSE c1
      echo == IF Bug = "an echo newer than the grant" THEN k ELSE c.number
  IN IF c.owner = a
     THEN [c EXCEPT !.named[a] = IF attempt[a].phase = "over" THEN 0 ELSE Max(@, echo)]
     ELSE IF (a <= c.last /\ Bug # "a try below the last rank") \/ a \in c.withdrawn
     THEN [c EXCEPT !.waiting[a] = 0]
     ELSE IF c.owner # 0 \/ c.quarantine > 0
     THEN [c EXCEPT !.waiting[a] = Max(@, k)]
     ELSE Granted(c, a, k)

AfterRenew(before, a, k) ==
  LET c == Served(before)
      isPassed == c.lastIsKnown /\ (a < c.last \/ (a = c.last /\ c.lastIsReleased))
      newest == Max(c.number, k)
  IN IF c.owner = a
     THEN [c EXCEPT !.left = IF Bug = "a renewal that names and does not extend" THEN @ ELSE Lease,
                    !.number = newest,
                    !.named[a] = IF attempt[a].phase = "over" THEN 0 ELSE Max(@, newest)]
     ELSE IF c.owner # 0 \/ c.quarantine > 0 \/ isPassed \/ a \in c.withdrawn
     THEN c
     ELSE Granted(c, a, k)

AfterRelease(before, a) ==
  LET c == Served(before)
      isOwner == IF Bug = "release by client only"
                 THEN c.owner # 0 /\ ClientOf[c.owner] = ClientOf[a]
                 ELSE c.owner = a
  IN IF isOwner THEN Served(Freed(c))
     ELSE [c EXCEPT !.waiting[a] = 0,
                    !.withdrawn = IF a > c.last THEN @ \union {a} ELSE @,
                    !.lastIsReleased = IF a = c.last THEN TRUE ELSE @]

\* Grants are not on disk; a ceiling of the ranks that were granted is.
AfterRestart(c) ==
  [Fresh EXCEPT !.last = c.last, !.lastIsKnown = FALSE, !.named = c.named,
                !.quarantine = IF Bug = "no quarantine" THEN 0 ELSE Lease]

\* A grant that is over ends. Who waits is served later: timers may be late.
AfterTick(c) ==
  [c EXCEPT !.left = Less(@), !.quarantine = Less(@),
            !.owner = IF c.left > 1 THEN @ ELSE 0,
            !.number = IF c.left > 1 THEN @ ELSE 0]

Becomes(c, after) ==
  /\ after # c
  /\ servers' = Moved(servers, c, after)

----------------------------------------------------------------------------
(* Clients. *)

Init ==
  /\ attempt = [a \in Attempts |->
                  [phase |-> "new", requests |-> <<>>, renewals |-> {}, left |-> 0]]
  /\ servers = {<<Fresh, i>> : i \in 1..Correct}
  /\ restarts = 0
  /\ fence = 0
  /\ alarm = "none"

Holds(a) == attempt[a].phase = "held"

\* What is left of the longest term that enough servers give to the attempt.
Term(a) ==
  LET requests == attempt[a].requests
      Enough(k) == Cardinality({x \in servers : x[1].named[a] >= k}) >= Need
      enough == {k \in 1..Len(requests) : Enough(k)}
  IN IF enough = {} THEN 0
     ELSE requests[CHOOSE k \in enough : \A j \in enough : j <= k]

HasEnough(a) == Cardinality({x \in servers : x[1].named[a] > 0}) >= Need

Begin(a) ==
  /\ attempt[a].phase = "new"
  /\ \A b \in Attempts :
       (b # a /\ ClientOf[b] = ClientOf[a]) =>
         attempt[b].phase \in (IF b < a THEN {"new", "over"} ELSE {"new"})
  /\ attempt' = [attempt EXCEPT ![a].phase = "trying", ![a].requests = <<Lease>>]
  /\ UNCHANGED <<servers, restarts, fence, alarm>>

\* A refresh of one who waits, or a renewal.
Ask(a) ==
  /\ attempt[a].phase \in {"trying", "held"}
  /\ Len(attempt[a].requests) < Requests
  /\ attempt' =
       [attempt EXCEPT
          ![a].requests = Append(@, Lease),
          ![a].renewals = IF Holds(a) THEN @ \union {Len(attempt[a].requests) + 1} ELSE @]
  /\ UNCHANGED <<servers, restarts, fence, alarm>>

Enter(a) ==
  LET term == IF Bug = "hold counted from the return"
              THEN IF HasEnough(a) THEN Hold + 1 ELSE 0
              ELSE Term(a)
  IN /\ attempt[a].phase = "trying"
     /\ term > Hold
     /\ attempt' = [attempt EXCEPT ![a].phase = "held", ![a].left = term]
     /\ fence' = Max(fence, a)
     /\ alarm' = IF a <= fence THEN "a fence that does not grow" ELSE alarm
     /\ UNCHANGED <<servers, restarts>>

Extend(a) ==
  /\ Holds(a)
  /\ Term(a) > attempt[a].left
  /\ attempt' = [attempt EXCEPT ![a].left = Term(a)]
  /\ UNCHANGED <<servers, restarts, fence, alarm>>

\* Of attempts that are over only their messages matter, not their numbers.
Over(old) ==
  [phase |-> "over", requests |-> <<0>>,
   renewals |-> IF old.renewals = {} THEN {} ELSE {2}, left |-> 0]

Without(c, gone) ==
  [c EXCEPT !.named = [a \in Attempts |-> IF a \in gone THEN 0 ELSE @[a]],
            !.waiting = [a \in Attempts |-> IF a \in gone THEN Min(@[a], 1) ELSE @[a]],
            !.number = IF c.owner \in gone THEN 1 ELSE @]

\* A holder leaves, or an attempt is given up; after that servers may hear of it.
Leave(a) ==
  /\ attempt[a].phase \in {"trying", "held"}
  /\ attempt' = [attempt EXCEPT ![a] = Over(@)]
  /\ servers' = LET To(c) == Without(c, {a}) IN Changed(servers, To)
  /\ UNCHANGED <<restarts, fence, alarm>>

\* Everything that clients sent is delivered at any time.
Deliver(a) ==
  /\ \E c \in Conditions(servers) :
       \/ \E k \in (1..Len(attempt[a].requests)) \ attempt[a].renewals :
            Becomes(c, AfterTry(c, a, k))
       \/ \E k \in attempt[a].renewals : Becomes(c, AfterRenew(c, a, k))
       \/ attempt[a].phase = "over" /\ Becomes(c, AfterRelease(c, a))
  /\ UNCHANGED <<attempt, restarts, fence, alarm>>

Timer ==
  /\ \E c \in Conditions(servers) : Becomes(c, Served(c))
  /\ UNCHANGED <<attempt, restarts, fence, alarm>>

Restart ==
  /\ restarts < Restarts
  /\ restarts' = restarts + 1
  /\ \E c \in Conditions(servers) : Becomes(c, AfterRestart(c))
  /\ UNCHANGED <<attempt, fence, alarm>>

\* A lease that is over is lost, and its client knows. Whoever grants it
\* after that is told that the attempt is over.
Tick ==
  LET lost == {a \in Attempts : Holds(a) /\ attempt[a].left = 1}
      Later(x) == [x EXCEPT !.left = Less(@),
                            !.requests = [k \in 1..Len(@) |-> Less(@[k])]]
      To(c) == Without(AfterTick(c), lost)
  IN /\ attempt' = [a \in Attempts |->
                      IF a \in lost THEN Over(attempt[a]) ELSE Later(attempt[a])]
     /\ servers' = Changed(servers, To)
     /\ UNCHANGED <<restarts, fence, alarm>>

Next ==
  \/ \E a \in Attempts : Begin(a) \/ Ask(a) \/ Enter(a) \/ Extend(a) \/ Leave(a) \/ Deliver(a)
  \/ Timer
  \/ Restart
  \/ Tick

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
(* What must always hold. *)

Exclusion == \A a, b \in Attempts : (Holds(a) /\ Holds(b)) => a = b

FencesGrow == alarm = "none"
=============================================================================
