------------------------------ MODULE Pipeline ------------------------------
(***************************************************************************)
(* Ordering with sealed statements, as clients that share an object use    *)
(* it: several proposals of one rank under way, followers that count what  *)
(* servers say of acceptances, reads by target, and servers that lose      *)
(* their memory. Ordering.tla has the choice rule in all modes. See        *)
(* docs/ordering.md and docs/tla.md.                                       *)
(*                                                                         *)
(* Full asynchrony, as there. Every quorum is taken to contain the B       *)
(* servers that lie, so what counts is what Need correct servers do.       *)
(*                                                                         *)
(* Tenure has no steps. A server that says Busy does nothing else, and one *)
(* that is asked need not answer here; a ballot may stop at any time, and  *)
(* begin at any time. So all that Busy, EndTenure, Unattended, Relayed and *)
(* displaced holders bring about is among the behaviours below. Two        *)
(* mistakes show what would not be: see TenureEnds and Displaces.          *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Servers,  \* the correct ones
  B,        \* servers that lie
  Ranks,    \* ballots have the ranks 1..Ranks
  Versions, \* no ballot proposes a longer state than this
  Window,   \* so many proposals of a ballot are under way
  Losses,   \* so often a correct server loses its memory, always the same one
  Reads,    \* whether somebody reads
  Bug       \* "none", or the name of a mistake that must be noticed

ASSUME B = 1 /\ Losses \in Nat /\ Reads \in BOOLEAN

VARIABLES
  ballot,   \* of each rank: its phase, what was reported to it, its newest proposal
  server,   \* of each correct server: what it keeps
  sent,     \* all statements that were proposed
  told,     \* of each server and rank: the longest state that it said it has accepted
  absent,   \* of each rank and server: the last loss it heard of, and what it had proposed then
  restores, \* what brings a server up to date: it, a rank, and for which of its losses
  reader    \* one client that reads

vars == <<ballot, server, sent, told, absent, restores, reader>>

N == Cardinality(Servers) + B
Quorum == N - B
Need == Quorum - B

Symmetry == Permutations(Servers)

----------------------------------------------------------------------------
(* A state is the sequence of those who made its versions; a statement is   *)
(* a state with the rank at which it was proposed.                          *)

IsPrefix(s, t) == Len(s) <= Len(t) /\ SubSeq(t, 1, Len(s)) = s

Related(s, t) == IsPrefix(s, t) \/ IsPrefix(t, s)

Statement(r, s) == [rank |-> r, state |-> s]

Nothing == Statement(0, <<>>)

Silent == Statement(0, <<0>>)  \* Nothing was said.

Newer(x, y) == x.rank > y.rank \/ (x.rank = y.rank /\ Len(x.state) > Len(y.state))

Newest(statements) == CHOOSE x \in statements : \A y \in statements : ~Newer(y, x)

\* A liar shows whatever a client has sealed, or nothing.
Lies == {Nothing} \union sent

----------------------------------------------------------------------------
(* What is chosen. The orderer counts acceptances, a follower what servers  *)
(* say of its operation when they accept a proposal with it: the same rank  *)
(* and the same state up to it. It keeps the words of servers that have     *)
(* lost their memory since. Who accepts a state at a rank has accepted all  *)
(* that leads to it.                                                        *)

Threshold == IF Bug = "an inclusion believed from b+1" THEN 1 ELSE Need

SaidBy(r, p) == {s \in Servers : IsPrefix(p, told[s][r])}

IsChosen(r, p) ==
  IF Bug = "words of different ranks count together"
  THEN Cardinality({s \in Servers : \E q \in 1..Ranks : IsPrefix(p, told[s][q])}) >= Threshold
  ELSE Cardinality(SaidBy(r, p)) >= Threshold

Proposed(r) == {x.state : x \in {y \in sent : y.rank = r}}

\* Proposals of one rank go on from each other: what leads to one was chosen with it.
Believed == UNION {{p \in Proposed(r) : IsChosen(r, p)} : r \in 1..Ranks}

Longest(states) == CHOOSE s \in states : \A t \in states : Len(t) <= Len(s)

----------------------------------------------------------------------------
Init ==
  /\ ballot = [r \in 1..Ranks |->
       [phase |-> "get", reports |-> [s \in Servers |-> Silent], tip |-> <<>>]]
  /\ server = [s \in Servers |->
       [rank |-> 0, proposed |-> Nothing, whole |-> TRUE, lost |-> 0, absent |-> FALSE]]
  /\ sent = {}
  /\ told = [s \in Servers |-> [r \in 1..Ranks |-> <<>>]]
  /\ absent = [r \in 1..Ranks |-> [s \in Servers |-> [loss |-> 0, proposed |-> 0]]]
  /\ restores = {}
  /\ reader = [phase |-> "idle", floor |-> <<>>, reports |-> [s \in Servers |-> Silent],
               target |-> Nothing, read |-> <<>>]

HowMany(reports) == Cardinality({s \in Servers : reports[s] # Silent})

Shown(reports) == {reports[s] : s \in Servers} \ {Silent}

----------------------------------------------------------------------------
(* Ballots. *)

\* A server reports, and refuses all that is below from then on. When enough
\* have, the client goes on from the newest that was shown.
Report(r, s) ==
  /\ ballot[r].phase = "get"
  /\ ballot[r].reports[s] = Silent
  /\ ~server[s].absent
  /\ server[s].rank <= r
  /\ server' = [server EXCEPT ![s].rank = r]
  /\ LET all == [ballot[r].reports EXCEPT ![s] = server[s].proposed]
     IN IF HowMany(all) < Need
        THEN ballot' = [ballot EXCEPT ![r].reports = all]
        ELSE \E lie \in Lies :
               LET newest == Newest(Shown(all) \union {lie}).state
                   own == ballot[r - 2].tip
                   from == IF Bug = "pipelining across a rank change" /\ r > 2
                           THEN own ELSE newest
               IN ballot' = [ballot EXCEPT ![r] =
                    [phase |-> "order", reports |-> [x \in Servers |-> Silent], tip |-> from]]
  /\ UNCHANGED <<sent, told, absent, restores, reader>>

UnderWay(r) == {p \in Proposed(r) : ~IsChosen(r, p)}

\* A proposal follows the one before it, which need not be chosen yet. The
\* first one may be what was found, to be confirmed.
Propose(r) ==
  /\ ballot[r].phase = "order"
  /\ Cardinality(UnderWay(r)) < Window
  /\ \E state \in {Append(ballot[r].tip, r)}
                    \union (IF Proposed(r) = {} THEN {ballot[r].tip} \ {<<>>} ELSE {}) :
       /\ Len(state) <= Versions
       /\ ballot' = [ballot EXCEPT ![r].tip = state]
       /\ sent' = sent \union {Statement(r, state)}
  /\ UNCHANGED <<server, told, absent, restores, reader>>

\* A server stores a proposal of which it has all that leads to it, and says so
\* to its orderer and to those whose operations are in it. What it lacks it is
\* sent; with the mistake it does not wait for that.
Accept(s, m) ==
  LET goesOn == Len(m.state) <= 1 \/ IsPrefix(SubSeq(m.state, 1, Len(m.state) - 1),
                                              server[s].proposed.state)
      wholes == IF Bug = "accepted without what leads to it"
                THEN {server[s].whole /\ goesOn} ELSE {TRUE}
  IN /\ ~server[s].absent
     /\ server[s].rank <= m.rank
     /\ Newer(m, server[s].proposed)
     /\ \E whole \in wholes :
          server' = [server EXCEPT ![s].rank = m.rank, ![s].proposed = m, ![s].whole = whole]
     /\ told' = [told EXCEPT ![s][m.rank] = IF Len(@) < Len(m.state) THEN m.state ELSE @]
     /\ UNCHANGED <<ballot, sent, absent, restores, reader>>

----------------------------------------------------------------------------
(* A server loses its memory and is let in again. It is absent until a      *)
(* ballot has had others take note of the loss, while its rank is theirs:   *)
(* from then on those of higher ranks hear of it and drop what it reported  *)
(* before. Besides, so many others must have accepted what the ballot had   *)
(* proposed before it heard of the loss: the server may have said that it   *)
(* accepted that, and whoever heard it counts that still.                   *)

Lose(s) ==
  /\ \A x \in Servers \ {s} : server[x].lost = 0
  /\ server[s].lost < Losses
  /\ server' = [server EXCEPT ![s] =
       [rank |-> 0, proposed |-> Nothing, whole |-> TRUE, lost |-> @.lost + 1, absent |-> TRUE]]
  /\ UNCHANGED <<ballot, sent, told, absent, restores, reader>>

\* It may have lost its memory before, and have been let in again by this ballot.
HearAbsent(r, s) ==
  /\ server[s].absent
  /\ ballot[r].phase = "order"
  /\ absent[r][s].loss < server[s].lost
  /\ absent' = [absent EXCEPT ![r][s] =
       [loss |-> server[s].lost,
        proposed |-> IF \/ Proposed(r) = {}
                        \/ Bug = "restored by what was chosen before"
                        \/ Bug = "a second loss restored by the first" /\ @.loss > 0
                     THEN 1 ELSE Len(ballot[r].tip)]]
  /\ UNCHANGED <<ballot, server, sent, told, restores, reader>>

SendRestore(r, s) ==
  LET loss == absent[r][s].loss
  IN /\ loss > 0
     /\ <<s, r, loss>> \notin restores
     /\ Cardinality({x \in Servers \ {s} : server[x].rank = r}) >= Need
     /\ \E p \in Proposed(r) :
          /\ Len(p) >= absent[r][s].proposed
          /\ Cardinality(SaidBy(r, p) \ {s}) >= Need
     /\ restores' = restores \union {<<s, r, loss>>}
     /\ ballot' = [q \in 1..Ranks |->
          IF q > r THEN [ballot[q] EXCEPT !.reports[s] = Silent] ELSE ballot[q]]
     /\ UNCHANGED <<server, sent, told, absent, reader>>

Restore(s) ==
  /\ server[s].absent
  /\ \E r \in 1..Ranks, loss \in 1..Losses :
       /\ <<s, r, loss>> \in restores
       /\ loss = server[s].lost \/ Bug = "restored for an earlier loss"
       /\ server' = [server EXCEPT ![s].absent = FALSE, ![s].rank = r]
  /\ UNCHANGED <<ballot, sent, told, absent, restores, reader>>

----------------------------------------------------------------------------
(* A read without a rank. Its target is the newest statement that a quorum  *)
(* shows. Once a quorum shows statements of that rank, the least version    *)
(* among them is chosen, and read if it is not below the target.            *)

BeginRead ==
  /\ Reads
  /\ reader.phase = "idle"
  /\ reader' = [reader EXCEPT !.phase = "first",
                              !.floor = Longest(Believed \union {<<>>})]
  /\ UNCHANGED <<ballot, server, sent, told, absent, restores>>

\* All that a quorum shows is of the rank of the target.
Reached(statements) ==
  LET Pick(P(_, _)) == CHOOSE x \in statements : \A y \in statements : P(x, y)
      Least(x, y) == Len(x.state) <= Len(y.state)
      Greatest(x, y) == Len(x.state) >= Len(y.state)
  IN IF Bug = "a read of the greatest version" THEN Pick(Greatest) ELSE Pick(Least)

ReadReport(s) ==
  /\ reader.phase \in {"first", "second"}
  /\ reader.reports[s] = Silent
  /\ ~server[s].absent
  /\ ~(server[s].lost > 0 /\ server[s].proposed = Nothing)
  /\ LET all == [reader.reports EXCEPT ![s] = server[s].proposed]
         none == [x \in Servers |-> Silent]
     IN IF HowMany(all) < Need
        THEN reader' = [reader EXCEPT !.reports = all]
        ELSE \E lie \in Lies :
               LET shown == Shown(all) \union {lie}
                   reached == Reached(shown)
               IN IF reader.phase = "first"
                  THEN reader' = [reader EXCEPT !.phase = "second", !.reports = none,
                                                !.target = Newest(shown)]
                  ELSE IF /\ \A x \in shown : x.rank = reader.target.rank
                          /\ \/ Len(reached.state) >= Len(reader.target.state)
                             \/ Bug = "a read below its target"
                  THEN reader' = [reader EXCEPT !.phase = "done", !.reports = none,
                                                !.read = reached.state]
                  ELSE reader' = [reader EXCEPT !.reports = none]
  /\ UNCHANGED <<ballot, server, sent, told, absent, restores>>

----------------------------------------------------------------------------
(* Mistakes that are steps of their own. *)

\* A tenure that ends takes the rank along.
TenureEnds(s) ==
  /\ Bug = "a tenure that ends frees the rank"
  /\ server[s].rank > 0
  /\ server' = [server EXCEPT ![s].rank = 0]
  /\ UNCHANGED <<ballot, sent, told, absent, restores, reader>>

\* Who displaces a silent holder is heard though its rank is lower.
Displaces(r, s) ==
  /\ Bug = "a displaced holder whatever its rank"
  /\ ballot[r].phase = "get"
  /\ server[s].rank > r
  /\ server' = [server EXCEPT ![s].rank = r]
  /\ UNCHANGED <<ballot, sent, told, absent, restores, reader>>

Next ==
  \/ \E r \in 1..Ranks : Propose(r)
  \/ \E r \in 1..Ranks, s \in Servers :
       Report(r, s) \/ HearAbsent(r, s) \/ SendRestore(r, s) \/ Displaces(r, s)
  \/ \E s \in Servers, m \in sent : Accept(s, m)
  \/ \E s \in Servers : Lose(s) \/ Restore(s) \/ ReadReport(s) \/ TenureEnds(s)
  \/ BeginRead

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
(* What must always hold. *)

\* All that orderers and followers take for chosen is of one history.
Agreement == \A p, q \in Believed : Related(p, q)

\* What is chosen at a rank is extended by whatever is proposed at a higher one.
ChosenStays ==
  \A r \in 1..Ranks : \A p \in Proposed(r) :
    IsChosen(r, p) => \A x \in sent : x.rank > r => IsPrefix(p, x.state)

\* One rank and version names one state.
OneState ==
  \A x, y \in sent : (x.rank = y.rank /\ Len(x.state) = Len(y.state)) => x.state = y.state

\* Whoever asks a quorum for what was chosen finds one that has all of it.
ChosenIsHeld ==
  Losses = 0 =>
    \A p \in Believed :
      Cardinality({s \in Servers : server[s].whole /\ IsPrefix(p, server[s].proposed.state)})
        >= Need

\* What is read was chosen, and nothing is missing that was chosen before.
ReadIsChosen == reader.phase = "done" => (reader.read = <<>> \/ reader.read \in Believed)
ReadIsFresh == reader.phase = "done" => IsPrefix(reader.floor, reader.read)
=============================================================================
