-------------------------------- MODULE Floor -------------------------------
(* Instances of the server read from a primary and its standbys. A standby replays the log of the host that it follows,
   and shows a commit just before it publishes the position. A standby is promoted, which starts a new timeline, while
   the former primary still answers reads; the other standby then follows the new primary. A page is read after a query
   for the host's position and before another one, and its cursors carry a floor: what the next page must include. *)
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Commits, Instances
P == 1
A == 2
B == 3
Hosts == {P, A, B}

VARIABLES log,      \* the commits in the log of each host, for a standby those that it has replayed
          hidden,   \* the commits that each primary has logged, but does not show yet
          applied,  \* the position that each host has published
          timeline, \* the timeline of each host
          source,   \* the host whose log each host has: itself for a primary
          lost,     \* the commits that the promotion has lost
          read,     \* the read that is in progress
          client,   \* what the pages of a scroll have shown, and the floor of its cursor
          first,    \* what the first pages of each instance have shown, and the floor that it remembers for them
          isBack, isFirstBack, isFork \* whether a page went back in time, and whether the primary's order was the cause
hosts == <<log, hidden, applied, timeline, source, lost>>
results == <<client, first, isBack, isFirstBack, isFork>>
IsPrimary(h) == source[h] = h
Shown(h) == {log[h][n] : n \in 1..Len(log[h])} \ hidden[h]
IsPrefix(s, t) == Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))
All == UNION {{log[h][n] : n \in 1..Len(log[h])} : h \in Hosts}
NoFloor == [timeline |-> 0, lsn |-> 0]
NoRead == [phase |-> "none"]
Later(one, other) == IF other.timeline > one.timeline \/ (other.timeline = one.timeline /\ other.lsn > one.lsn)
                     THEN other ELSE one

Init == /\ log = [h \in Hosts |-> <<>>] /\ hidden = [h \in Hosts |-> {}] /\ applied = [h \in Hosts |-> 0]
        /\ timeline = [h \in Hosts |-> 1] /\ source = [h \in Hosts |-> P] /\ lost = {} /\ read = NoRead
        /\ client = [seen |-> {}, floor |-> NoFloor]
        /\ first = [i \in Instances |-> [seen |-> {}, floor |-> NoFloor]]
        /\ isBack = FALSE /\ isFirstBack = FALSE /\ isFork = FALSE
(* A commit is in the log before it is visible. A former primary accepts no writes. *)
Commit(h) == /\ IsPrimary(h) /\ \A other \in Hosts : timeline[other] <= timeline[h] /\ Cardinality(All) < Commits
             /\ log' = [log EXCEPT ![h] = Append(@, Cardinality(All) + 1)] /\ hidden' = [hidden EXCEPT ![h] = @ \cup {Cardinality(All) + 1}]
             /\ applied' = [applied EXCEPT ![h] = Len(log[h]) + 1] /\ UNCHANGED <<timeline, source, lost, read, results>>
Show == \E h \in Hosts : \E c \in hidden[h] : /\ hidden' = [hidden EXCEPT ![h] = @ \ {c}]
                                              /\ UNCHANGED <<log, applied, timeline, source, lost, read, results>>
Replay(h) == /\ ~IsPrimary(h) /\ applied[h] = Len(log[h]) /\ Len(log[h]) < Len(log[source[h]])
             /\ IsPrefix(log[h], log[source[h]]) /\ log' = [log EXCEPT ![h] = Append(@, log[source[h]][Len(@) + 1])]
             /\ UNCHANGED <<hidden, applied, timeline, source, lost, read, results>>
Publish(h) == /\ applied[h] < Len(log[h]) /\ applied' = [applied EXCEPT ![h] = Len(log[h])]
              /\ UNCHANGED <<log, hidden, timeline, source, lost, read, results>>
Promote == /\ source[A] = P /\ timeline' = [timeline EXCEPT ![A] = 2] /\ source' = [source EXCEPT ![A] = A]
           /\ lost' = All \ {log[A][n] : n \in 1..Len(log[A])} /\ applied' = [applied EXCEPT ![A] = Len(log[A])]
           /\ UNCHANGED <<log, hidden, read, results>>
Follow == /\ source[A] = A /\ source[B] = P /\ IsPrefix(log[B], log[A]) /\ timeline' = [timeline EXCEPT ![B] = 2]
          /\ source' = [source EXCEPT ![B] = A] /\ UNCHANGED <<log, hidden, applied, lost, read, results>>

(* What the server does. Polls can be old, so any host can be tried: only the position decides whether its answer counts. *)
TimelineOf(h) == timeline[h]
HasReached(h, floor) == TimelineOf(h) >= floor.timeline /\ (IsPrimary(h) \/ applied[h] >= floor.lsn)
ShownLsn(h) == IF IsPrimary(h) THEN Len(log[h])
               ELSE IF Len(log[source[h]]) # applied[h] THEN applied[h] + 1 ELSE applied[h]
FloorOf(h) == [timeline |-> TimelineOf(h), lsn |-> ShownLsn(h)]
(* A page with a cursor has the cursor's floor, and a first page has the floor that its instance remembers. *)
Before == /\ read = NoRead
          /\ \E i \in Instances, h \in Hosts, isFirst \in BOOLEAN :
               /\ HasReached(h, IF isFirst THEN first[i].floor ELSE client.floor)
               /\ read' = [phase |-> "read", instance |-> i, host |-> h, isFirst |-> isFirst, before |-> FloorOf(h)]
          /\ UNCHANGED <<hosts, results>>
Read == /\ read # NoRead /\ read' = NoRead /\ UNCHANGED hosts
        /\ LET i == read.instance
               saw == Shown(read.host)
               floor == FloorOf(read.host)
               missing(seen) == (seen \ saw) \ lost
           IN IF read.isFirst
              THEN /\ first' = [first EXCEPT ![i] = [seen |-> saw, floor |-> Later(@.floor, floor)]]
                   /\ isFirstBack' = (isFirstBack \/ missing(first[i].seen) \ hidden[read.host] # {})
                   /\ UNCHANGED <<client, isBack, isFork>>
              ELSE /\ client' = [seen |-> saw, floor |-> floor]
                   /\ isBack' = (isBack \/ missing(client.seen) \ hidden[read.host] # {})
                   /\ isFork' = (isFork \/ missing(client.seen) \cap hidden[read.host] # {})
                   /\ UNCHANGED <<first, isFirstBack>>
Next == (\E h \in Hosts : Commit(h) \/ Replay(h) \/ Publish(h)) \/ Show \/ Promote \/ Follow \/ Before \/ Read

ScrollNeverGoesBack == ~isBack
FirstPageNeverGoesBack == ~isFirstBack
(* The limits: TLC must find a state in which each of these is false. *)
PrimaryIsBehind == ~isFork
WritesAreLost == client.seen \cap lost = {}
InstancesDiffer == ~\E i, j \in Instances : /\ read # NoRead /\ read.isFirst /\ read.instance = i
                                          /\ (first[j].seen \ Shown(read.host)) \ (hidden[read.host] \cup lost) # {}
=============================================================================
