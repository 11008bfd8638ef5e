------------------------------ MODULE Ordering ------------------------------
(***************************************************************************)
(* The choice rule of the ordering protocol: runs of clients, each with a  *)
(* rank of its own, read from a quorum from which state to go on, propose  *)
(* longer states and commit them. See docs/ordering.md and docs/tla.md.    *)
(*                                                                         *)
(* Full asynchrony: what was sent may arrive at any time, often or never.  *)
(* A client may stop for ever at any time, because no step is ever forced. *)
(*                                                                         *)
(* Correct servers are alike, so only how many are in each condition is    *)
(* kept. Every quorum is taken to contain all B servers that lie: a        *)
(* correct server in the place of one could say the same, and would be     *)
(* bound by it. So what counts is what Need correct servers do, and the    *)
(* liars show whatever they can: see Lies.                                 *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  N,        \* servers
  B,        \* servers that lie
  Mode,     \* "plain", "sealed-ranks" or "sealed-statements"
  Ranks,    \* runs have the ranks 1..Ranks
  Versions, \* no run proposes a longer state than this
  Bases,    \* whether clients send bases, which servers take at any rank
  Bug       \* "none", or the name of a mistake that must be noticed

ASSUME /\ B = 1
       /\ Mode \in {"plain", "sealed-ranks", "sealed-statements"}
       /\ Bases \in BOOLEAN

VARIABLES
  run,      \* of each rank: its phase and the state that it proposes or commits
  servers,  \* the correct servers: pairs of a condition and a number from 1
  sent,     \* all that clients sent to servers, but for requests to report
  alarm     \* what a client or a server noticed that cannot be, or "none"

vars == <<run, servers, sent, alarm>>

Quorum == IF Mode = "plain" THEN N - 2 * B ELSE N - B
Correct == N - B
Need == Quorum - B
Vouchers == IF Bug = "vouching by b" THEN B ELSE B + 1

SealsStatements == Mode = "sealed-statements"

----------------------------------------------------------------------------
(* A state is the sequence of those who made its versions; a statement is   *)
(* a state with the rank at which it was proposed or committed.             *)

IsPrefix(s, t) == Len(s) <= Len(t) /\ SubSeq(t, 1, Len(s)) = s

Related(s, t) == IsPrefix(s, t) \/ IsPrefix(t, s)

Nothing == [rank |-> 0, state |-> <<>>]

Statement(r, s) == [rank |-> r, state |-> s]

\* The order in which proposals replace each other: by rank, then version.
Newer(x, y) == x.rank > y.rank \/ (x.rank = y.rank /\ Len(x.state) > Len(y.state))

Message(kind, r, s) == [kind |-> kind, rank |-> r, state |-> s]

Sent(kind) == {m \in sent : m.kind = kind}

\* A client commits only what a quorum has accepted, and at once.
Complete == Sent("commit")

----------------------------------------------------------------------------
(* Conditions of servers. said: what it reported to runs that have not      *)
(* decided yet; acks: the runs whose present message it accepted.           *)

Silent == [said |-> FALSE, proposed |-> Nothing, committed |-> Nothing]

Fresh ==
  [rank |-> 0, proposed |-> Nothing, committed |-> Nothing,
   said |-> [r \in 1..Ranks |-> Silent], acks |-> {}]

Conditions(all) == {x[1] : x \in all}

Number(all, c) == Cardinality({x \in all : x[1] = c})

\* One server goes from a condition to another.
Moved(all, from, to) ==
  IF from = to THEN all
  ELSE (all \ {<<from, Number(all, from)>>}) \union {<<to, Number(all, to) + 1>>}

\* All servers at once forget what run r need not know any more.
Forgotten(all, r) ==
  LET Rest(c) == [c EXCEPT !.said[r] = Silent, !.acks = @ \ {r}]
      Alike(c) == Cardinality({x \in all : Rest(x[1]) = c})
  IN UNION {{<<c, i>> : i \in 1..Alike(c)} : c \in {Rest(x[1]) : x \in all}}

HowManySaid(all, r) == Cardinality({x \in all : x[1].said[r].said})

HowManyAcks(all, r) == Cardinality({x \in all : r \in x[1].acks})

----------------------------------------------------------------------------
(* What a liar may report, given what correct servers reported to a run.    *)
(* Sealed statements: whatever a client has sealed, or nothing. Otherwise   *)
(* anything, with any rank, sealed ranks too: a report need not show the    *)
(* seal of the rank at which something was proposed. A state that no        *)
(* correct server reports has too few votes whatever it is, so of those     *)
(* one for each version is enough.                                          *)

Invented(v) == [i \in 1..v |-> 0]

Lies(all, r) ==
  LET heard == {x[1].said[r] : x \in {y \in all : y[1].said[r].said}}
      states == {h.proposed.state : h \in heard}
      commits == {h.committed.state : h \in heard}
      proposals ==
        {Statement(Ranks + 1, Invented(v)) : v \in 0..(Versions + 1)}
          \union {Statement(q, s) : q \in 0..(Ranks + 1), s \in states}
  IN IF SealsStatements
     THEN {[said |-> TRUE, proposed |-> p, committed |-> Nothing] :
             p \in {Nothing} \union {Statement(m.rank, m.state) : m \in sent}}
     ELSE {[said |-> TRUE, proposed |-> p, committed |-> Statement(0, s)] :
             p \in proposals, s \in commits \union {<<>>}}

----------------------------------------------------------------------------
(* The choice. Answers of the correct servers to run r, and that of a liar. *)

Newest(statements) ==
  LET Above(x, y) == IF Bug = "highest version ignoring rank"
                     THEN Len(x.state) > Len(y.state)
                     ELSE Newer(x, y)
  IN {x \in statements : \A y \in statements : ~Above(y, x)}

Choices(all, r, lie) ==
  LET answers == {x \in all : x[1].said[r].said}
      Count(P(_)) ==
        Cardinality({x \in answers : P(x[1].said[r])}) + (IF P(lie) THEN 1 ELSE 0)
      given == {x[1].said[r] : x \in answers} \union {lie}
      proposed == {g.proposed : g \in given}
      states == {p.state : p \in proposed}

      \* The highest version that enough servers report as committed.
      CommitVotes(s) == LET P(g) == g.committed.state = s IN Count(P)
      vouched == {s \in {g.committed.state : g \in given} : CommitVotes(s) >= Vouchers}
      C == IF vouched = {} THEN <<>>
           ELSE CHOOSE s \in vouched : \A t \in vouched : Len(t) <= Len(s)

      \* A version of which one correct server saw the next proposed.
      AtLeast(v) == LET P(g) == Len(g.proposed.state) >= v IN Count(P)
      reached ==
        CHOOSE v \in 0..(Versions + 1) :
          /\ v = 0 \/ AtLeast(v) >= Vouchers
          /\ \A w \in (v + 1)..(Versions + 1) : AtLeast(w) < Vouchers
      completed ==
        IF Bug = "completed without -1" THEN reached
        ELSE IF reached > 0 THEN reached - 1 ELSE 0

      \* Going down by rank and version: the first state that has enough votes.
      Votes(s, q) ==
        LET P(g) == /\ g.proposed.state = s
                    /\ IF Bug = "vouching by state and rank" THEN g.proposed.rank = q
                       ELSE g.proposed.rank >= q
        IN Count(P)
      hits == {p \in proposed : Votes(p.state, p.rank) >= Vouchers}
      Ps == {p.state : p \in Newest(hits)}

      \* With the bug, what cannot be is taken for the committed state.
      asIs == IF Len(C) = completed \/ Bug = "completed without -1"
              THEN {[from |-> C, again |-> FALSE, ok |-> TRUE]}
              ELSE {[from |-> C, again |-> FALSE, ok |-> FALSE]}
      fromP == {[from |-> s, again |-> TRUE, ok |-> TRUE] :
                  s \in {t \in Ps : Len(t) > completed}}
      fromC == IF Len(C) > completed THEN {[from |-> C, again |-> TRUE, ok |-> TRUE]} ELSE {}

      \* Sealed statements: the newest of all that is shown, to be extended
      \* or, by one who has nothing to add, to be confirmed.
      shown == proposed \union {g.committed : g \in given}
  IN IF SealsStatements
     THEN {[from |-> x.state, again |-> confirms, ok |-> TRUE] :
             x \in Newest(shown), confirms \in BOOLEAN}
     ELSE IF fromC # {} THEN fromC
     ELSE IF fromP # {} THEN fromP
     ELSE asIs

----------------------------------------------------------------------------
(* Clients. *)

Init ==
  /\ run = [r \in 1..Ranks |-> [phase |-> "get", state |-> <<>>, again |-> FALSE]]
  /\ servers = {<<Fresh, i>> : i \in 1..Correct}
  /\ sent = {}
  /\ alarm = "none"

\* Who makes a version that run r proposes. A run that uses its rank for the
\* second time has other things to do than at the first time.
Maker(r) == IF run[r].again THEN Ranks + r ELSE r

\* Run r proposes a state: the present one is done with, at all servers.
Proposing(r, s, all) ==
  IF Len(s) > Versions
  THEN /\ run' = [run EXCEPT ![r].phase = "stop"]
       /\ servers' = Forgotten(all, r)
       /\ UNCHANGED sent
  ELSE /\ run' = [run EXCEPT ![r].phase = "propose", ![r].state = s]
       /\ servers' = Forgotten(all, r)
       /\ sent' = sent \union {Message("propose", r, s)}

\* A server reports to run r, as the proposal its commit if it has no other.
\* When enough have, the client decides; it could not know less if it waited.
Report(r) ==
  /\ run[r].phase = "get"
  /\ \E c \in Conditions(servers) :
       /\ c.rank <= r
       /\ ~c.said[r].said
       /\ LET shown ==
                [said |-> TRUE,
                 proposed |-> IF c.proposed = Nothing THEN c.committed ELSE c.proposed,
                 committed |-> c.committed]
              now == [c EXCEPT !.rank = IF Bug = "a report does not record the rank" THEN @ ELSE r,
                               !.said[r] = shown]
              all == Moved(servers, c, now)
          IN IF HowManySaid(all, r) < Need
             THEN servers' = all /\ UNCHANGED <<run, sent, alarm>>
             ELSE \E choice \in UNION {Choices(all, r, lie) : lie \in Lies(all, r)} :
                    IF choice.ok
                    THEN /\ Proposing(
                              r,
                              IF choice.again /\ choice.from # <<>> THEN choice.from
                              ELSE Append(choice.from, Maker(r)),
                              all)
                         /\ UNCHANGED alarm
                    ELSE /\ alarm' = "more servers lie than are borne"
                         /\ UNCHANGED <<run, servers, sent>>

\* Enough servers have accepted the present message of run r, if they have.
Accepted(r, all) ==
  LET s == run[r].state
      complete == sent \union {Message("commit", r, s)}
      next == Append(s, Maker(r))
      proposal == Message("propose", r, next)
      base ==
        IF Bases /\ Len(s) > 1 /\ Message("commit", r, SubSeq(s, 1, Len(s) - 1)) \in sent
        THEN {Message("base", r, SubSeq(s, 1, Len(s) - 1))}
        ELSE {}
  IN IF HowManyAcks(all, r) < Need
     THEN servers' = all /\ UNCHANGED <<run, sent>>
     ELSE IF run[r].phase = "propose" /\ ~SealsStatements
     THEN /\ run' = [run EXCEPT ![r].phase = "commit"]
          /\ servers' = Forgotten(all, r)
          /\ sent' = complete
     ELSE /\ servers' = Forgotten(all, r)
          /\ IF Len(next) > Versions
             THEN /\ run' = [run EXCEPT ![r].phase = "stop"]
                  /\ sent' = complete \union base
             ELSE /\ run' = [run EXCEPT ![r].phase = "propose", ![r].state = next]
                  /\ sent' = complete \union base \union {proposal}

----------------------------------------------------------------------------
(* Servers. *)

Takes(c, m) ==
  LET p == Statement(m.rank, m.state)
  IN c.proposed = p \/ Newer(p, c.proposed) \/ Bug = "propose without the order"

OnPropose(m) ==
  \E c \in Conditions(servers) :
    /\ c.rank <= m.rank
    /\ Takes(c, m)
    /\ LET isPresent == run[m.rank].phase = "propose" /\ run[m.rank].state = m.state
           now == [c EXCEPT !.rank = m.rank,
                            !.proposed = Statement(m.rank, m.state),
                            !.acks = IF isPresent THEN @ \union {m.rank} ELSE @]
       IN /\ now # c
          /\ Accepted(m.rank, Moved(servers, c, now))
          /\ UNCHANGED alarm

OnCommit(m) ==
  \E c \in Conditions(servers) :
    LET unchecked == SealsStatements \/ Bug = "commit without the rank check"
        isPresent == run[m.rank].phase = "commit" /\ run[m.rank].state = m.state
        stores == Len(m.state) > Len(c.committed.state)
        now == [c EXCEPT !.rank = IF unchecked THEN @ ELSE m.rank,
                         !.committed = IF stores THEN Statement(m.rank, m.state) ELSE @,
                         !.acks = IF isPresent THEN @ \union {m.rank} ELSE @]
    IN /\ unchecked \/ c.rank <= m.rank
       /\ now # c
       /\ Accepted(m.rank, Moved(servers, c, now))
       /\ alarm' = IF stores /\ ~IsPrefix(c.committed.state, m.state)
                   THEN "a commit does not extend the last" ELSE alarm

\* A base takes the place of all that led to it, and of what does not come from it.
OnBase(m) ==
  \E c \in Conditions(servers) :
    LET isAhead == Len(m.state) > Len(c.committed.state)
        isKnown == IsPrefix(m.state, c.committed.state) \/ IsPrefix(m.state, c.proposed.state)
        now == [c EXCEPT !.committed = IF isAhead THEN Statement(m.rank, m.state) ELSE @,
                         !.proposed = IF IsPrefix(m.state, @.state) THEN @ ELSE Nothing]
    IN /\ isAhead \/ isKnown
       /\ now # c
       /\ servers' = Moved(servers, c, now)
       /\ UNCHANGED <<run, sent, alarm>>

Deliver ==
  \E m \in sent :
    \/ m.kind = "propose" /\ OnPropose(m)
    \/ m.kind = "commit" /\ OnCommit(m)
    \/ m.kind = "base" /\ OnBase(m)

----------------------------------------------------------------------------
(* Mistakes that are steps of their own. *)

\* A run that timed out begins again with the same rank.
Reuse(r) ==
  /\ Bug = "a rank used twice"
  /\ run[r].phase \in {"propose", "commit"}
  /\ ~run[r].again
  /\ run' = [run EXCEPT ![r] = [phase |-> "get", state |-> <<>>, again |-> TRUE]]
  /\ servers' = Forgotten(servers, r)
  /\ UNCHANGED <<sent, alarm>>

\* After its commit a client goes on with a new rank, and asks nobody.
Leap(r) ==
  /\ Bug = "a new rank and no report"
  /\ run[r].phase = "get"
  /\ HowManySaid(servers, r) = 0
  /\ \E m \in Complete :
       /\ m.rank < r
       /\ run[m.rank].phase # "commit"
       /\ Proposing(r, Append(m.state, r), servers)
  /\ UNCHANGED alarm

Next ==
  \/ \E r \in 1..Ranks : Report(r) \/ Reuse(r) \/ Leap(r)
  \/ Deliver

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
(* What must always hold. *)

\* Any two complete proposals are of one history.
Agreement == \A x, y \in Complete : Related(x.state, y.state)

\* A run does not complete less than one below it did.
HigherExtendsLower ==
  \A x, y \in Complete :
    x.rank < y.rank =>
      \E z \in Complete : z.rank = y.rank /\ IsPrefix(x.state, z.state)

\* One rank and version names one state.
OneState ==
  \A x, y \in Sent("propose") :
    (x.rank = y.rank /\ Len(x.state) = Len(y.state)) => x.state = y.state

\* What a server has as committed was complete before.
CommittedWasComplete ==
  \A c \in Conditions(servers) :
    c.committed = Nothing \/ \E m \in Complete : m.state = c.committed.state

\* Servers never see a commit that does not extend the last, and clients
\* never hear what only more liars could tell.
NoAlarm == alarm = "none"
=============================================================================
