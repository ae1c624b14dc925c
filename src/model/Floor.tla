-------------------------------- MODULE Floor -------------------------------
(* Instances of the server read from a primary and its standbys. A standby replays the log of the host that it follows,
   and shows a commit just before it publishes the position. A standby is promoted, which starts a new timeline, while
   the former primary still answers reads; the other standby then follows the new primary. A page is read after a query
   for the host's position and before another one, and its cursors carry a floor: what the next page must include. A
   commit is in the log of the primary before the primary shows it, so a standby can be ahead of the primary. *)
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Commits, Instances, P, A, B
Hosts == {P, A, B}

VARIABLES log,      \* the commits in the log of each host, for a standby those that it has replayed
          open, nextXid, \* the transactions that have not logged their commit, and the id of the next transaction
          hidden,   \* the commits that each primary has logged, but does not show yet
          applied,  \* the position that each host has published
          timeline, \* the timeline of each host
          source,   \* the host whose log each host has: itself for a primary
          lost,     \* the commits that the promotion has lost
          read,     \* the read that is in progress
          client,   \* what the pages of a scroll have shown, and the floor of its cursor
          first,    \* what the first pages of each instance have shown, and the floor that it remembers for them
          isBack, isFirstBack \* whether a page went back in time
hosts == <<log, open, nextXid, hidden, applied, timeline, source, lost>>
results == <<client, first, isBack, isFirstBack>>
IsPrimary(h) == source[h] = h
Logged(h) == {log[h][n] : n \in 1..Len(log[h])}
Shown(h) == Logged(h) \ hidden[h]
IsPrefix(s, t) == Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))
NoFloor == [timeline |-> 0, lsn |-> 0, xmin |-> 0, xmax |-> 0]
NoRead == [phase |-> "none"]
Max(m, n) == IF m > n THEN m ELSE n
Later(one, other) ==
    IF other.timeline # one.timeline THEN IF other.timeline > one.timeline THEN other ELSE one
    ELSE [timeline |-> one.timeline, lsn |-> Max(one.lsn, other.lsn),
          xmin |-> Max(one.xmin, other.xmin), xmax |-> Max(one.xmax, other.xmax)]

Init == /\ log = [h \in Hosts |-> <<>>] /\ hidden = [h \in Hosts |-> {}] /\ open = {} /\ nextXid = 1 /\ applied = [h \in Hosts |-> 0]
        /\ timeline = [h \in Hosts |-> 1] /\ source = [h \in Hosts |-> P] /\ lost = {} /\ read = NoRead
        /\ client = [seen |-> {}, floor |-> NoFloor]
        /\ first = [i \in Instances |-> [seen |-> {}, floor |-> NoFloor]]
        /\ isBack = FALSE /\ isFirstBack = FALSE
(* A commit is in the log before it is visible, for example until a standby has it. A former primary accepts no writes. *)
Begin == /\ nextXid <= Commits /\ open' = open \cup {nextXid} /\ nextXid' = nextXid + 1
         /\ UNCHANGED <<log, hidden, applied, timeline, source, lost, read, results>>
Commit(h) == /\ IsPrimary(h) /\ \A other \in Hosts : timeline[other] <= timeline[h]
             /\ \E x \in open : /\ open' = open \ {x} /\ log' = [log EXCEPT ![h] = Append(@, x)]
                                /\ hidden' = [hidden EXCEPT ![h] = @ \cup {x}]
             /\ applied' = [applied EXCEPT ![h] = Len(log[h]) + 1] /\ UNCHANGED <<nextXid, timeline, source, lost, read, results>>
Show == \E h \in Hosts : \E c \in hidden[h] : /\ hidden' = [hidden EXCEPT ![h] = @ \ {c}]
                                              /\ UNCHANGED <<log, open, nextXid, applied, timeline, source, lost, read, results>>
Replay(h) == /\ ~IsPrimary(h) /\ applied[h] = Len(log[h]) /\ Len(log[h]) < Len(log[source[h]])
             /\ IsPrefix(log[h], log[source[h]]) /\ log' = [log EXCEPT ![h] = Append(@, log[source[h]][Len(@) + 1])]
             /\ UNCHANGED <<open, nextXid, hidden, applied, timeline, source, lost, read, results>>
Publish(h) == /\ applied[h] < Len(log[h]) /\ applied' = [applied EXCEPT ![h] = Len(log[h])]
              /\ UNCHANGED <<log, open, nextXid, hidden, timeline, source, lost, read, results>>
Promote == /\ source[A] = P /\ timeline' = [timeline EXCEPT ![A] = 2] /\ source' = [source EXCEPT ![A] = A]
           /\ lost' = UNION {Logged(h) : h \in Hosts} \ Logged(A) /\ applied' = [applied EXCEPT ![A] = Len(log[A])]
           /\ open' = {} /\ UNCHANGED <<log, nextXid, hidden, read, results>>
Follow == /\ source[A] = A /\ source[B] = P /\ IsPrefix(log[B], log[A]) /\ timeline' = [timeline EXCEPT ![B] = 2]
          /\ source' = [source EXCEPT ![B] = A] /\ UNCHANGED <<log, open, nextXid, hidden, applied, lost, read, results>>
(* What the server does. Polls can be old, so any host can be tried: only the position decides whether its answer counts. *)
TimelineOf(h) == timeline[h]
(* A primary must show what the floor's standby has shown: transactions below xmax, but not the oldest that ran there. Of
   those that still run on the primary, the server can see which have not logged their commit: they wait for a client. *)
Covers(h, floor) == LET running == hidden[h] \cup open
                    IN \A x \in running : (x < floor.xmax /\ x # floor.xmin) => x \in open
HasApplied(h, floor) == IF IsPrimary(h) THEN TimelineOf(h) > floor.timeline \/ Covers(h, floor) ELSE applied[h] >= floor.lsn
HasReached(h, floor) == TimelineOf(h) >= floor.timeline /\ HasApplied(h, floor)
(* A standby that has received no more than it has published shows no more. Otherwise, it can show one commit more. *)
ShownLsns(h) == IF IsPrimary(h) THEN {Len(log[h])} ELSE (IF Len(log[h]) = applied[h] THEN {applied[h]} ELSE {})
                    \cup (IF Len(log[source[h]]) # applied[h] THEN {applied[h] + 1} ELSE {})
XmaxOf(h) == CHOOSE x \in 1..nextXid : \A y \in 1..nextXid : (y \in Logged(h) => y < x) /\ (y < x => \E z \in Logged(h) : y <= z)
XminOf(h) == CHOOSE x \in 1..nextXid : x \notin Logged(h) /\ \A y \in 1..(x - 1) : y \in Logged(h)
FloorOf(h, lsn) == [timeline |-> TimelineOf(h), lsn |-> lsn,
                    xmin |-> IF IsPrimary(h) THEN 0 ELSE XminOf(h), xmax |-> IF IsPrimary(h) THEN 0 ELSE XmaxOf(h)]
(* A page with a cursor has the cursor's floor, and a first page has the floor that its instance remembers. *)
Before == /\ read = NoRead
          /\ \E i \in Instances, h \in Hosts, isFirst \in BOOLEAN :
               /\ HasReached(h, IF isFirst THEN first[i].floor ELSE client.floor)
               /\ read' = [phase |-> "read", instance |-> i, host |-> h, isFirst |-> isFirst, before |-> FloorOf(h, CHOOSE lsn \in ShownLsns(h) : TRUE)]
          /\ UNCHANGED <<hosts, results>>
Read == /\ read # NoRead /\ read' = NoRead /\ UNCHANGED hosts
        /\ \E lsn \in ShownLsns(read.host) : LET
               i == read.instance
               saw == Shown(read.host)
               floor == FloorOf(read.host, lsn)
               missing(seen) == (seen \ saw) \ lost
           IN IF read.isFirst
              THEN /\ first' = [first EXCEPT ![i] = [seen |-> saw, floor |-> Later(@.floor, floor)]]
                   /\ isFirstBack' = (isFirstBack \/ missing(first[i].seen) # {})
                   /\ UNCHANGED <<client, isBack>>
              ELSE /\ client' = [seen |-> saw, floor |-> floor]
                   /\ isBack' = (isBack \/ missing(client.seen) # {})
                   /\ UNCHANGED <<first, isFirstBack>>
Next == Begin \/ (\E h \in Hosts : Commit(h) \/ Replay(h) \/ Publish(h)) \/ Show \/ Promote \/ Follow \/ Before \/ Read
ScrollNeverGoesBack == ~isBack
FirstPageNeverGoesBack == ~isFirstBack
(* The limits: TLC must find a state in which each of these is false. *)
NoHostAnswers == \E h \in Hosts : HasReached(h, client.floor)
WritesAreLost == client.seen \cap lost = {}
InstancesDiffer == ~\E i, j \in Instances : /\ read # NoRead /\ read.isFirst /\ read.instance = i
                                          /\ (first[j].seen \ Shown(read.host)) \ (hidden[read.host] \cup lost) # {}
=============================================================================
