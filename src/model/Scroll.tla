------------------------------- MODULE Scroll -------------------------------
(* A client scrolls through an ascending list while others insert, edit, move, and delete rows in transactions that can
   commit late. A row has an id and a key; keys can tie, or be NULL. A cursor is a gap, the place just before or after a
   position, and belongs to one list. A page is read as the server reads it: one row more than the limit, beyond the gap,
   from one snapshot. In a live order, every edit sets the key to the present, and the cursors of a scroll carry the
   greatest key at its start, the pin, until the end of the list is reached. *)
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Ids, Keys, Changes, Limit, Longest
Absent == -1    \* the key of a row that does not exist
None == -2
Null == 99      \* stands after every key
NoPin == 100

VARIABLES live,      \* whether the order is declared live
          table,     \* the committed key of each row
          open,      \* the key that an open transaction has written for each row, or None
          left,      \* how many changes may still be made
          now,       \* the clock
          until,     \* the gap at which the walk ends
          cursor,    \* the cursor of the next page
          page,      \* the last answer, with its request and the table that it was read from
          shown,     \* the ids that the scroll has shown, in sequence
          standing,  \* the ids that have stood in the list, unmoved, since the scroll began
          moved,     \* the ids whose key was edited since then
          greatest,  \* the greatest key when the scroll began
          lateEdit,  \* whether an edit that is not later than that was committed after the scroll began
          hasEnded   \* whether the scroll has gone on after the end of the list
others == <<live, table, open, left, now, until>>
client == <<until, cursor, page, shown, live, greatest, hasEnded>>

Position(t, i) == <<t[i], i>>
Gap(position, after) == [pos |-> position, after |-> after]
Start == Gap(<<-1, 0>>, TRUE)
End == Gap(<<NoPin, 0>>, TRUE)
Rows(t) == {i \in Ids : t[i] # Absent}
Range(s) == {s[n] : n \in 1..Len(s)}
(* What the promises mean: the order of the list, and the rows of a list beyond a gap. *)
Less(p, q) == p[1] < q[1] \/ (p[1] = q[1] /\ p[2] < q[2])
Beyond(p, gap) == Less(gap.pos, p) \/ (~gap.after /\ p = gap.pos)
List(t, pin) == {i \in Rows(t) : t[i] = Null \/ t[i] <= pin}
Rest(t, pin, gap) == {i \in List(t, pin) : Beyond(Position(t, i), gap) /\ ~Beyond(Position(t, i), until)}

(* What the server does. *)
IsKeyAfter(k, other) == IF k = Null THEN other # Null ELSE other # Null /\ k > other
IsSelected(p, gap) == \/ IsKeyAfter(p[1], gap.pos[1])
                      \/ p[1] = gap.pos[1] /\ p[2] > gap.pos[2]
                      \/ ~gap.after /\ p = gap.pos
IsFirst(t, i, ids) == \A j \in ids : t[i] < t[j] \/ (t[i] = t[j] /\ i <= j)
RECURSIVE Sorted(_, _)
Sorted(t, ids) == IF ids = {} THEN <<>> ELSE
    LET first == CHOOSE i \in ids : IsFirst(t, i, ids) IN <<first>> \o Sorted(t, ids \ {first})
NewPin(t) == LET keys == {-1} \cup ({t[i] : i \in Rows(t)} \ {Null}) IN CHOOSE k \in keys : \A other \in keys : k >= other
Answer(t, c) ==
    LET pin == IF c.pin # None THEN c.pin ELSE IF live THEN NewPin(t) ELSE NoPin
        rows == Sorted(t, {i \in List(t, pin) : IsSelected(Position(t, i), c.gap)
                                                /\ (until = End \/ ~IsSelected(Position(t, i), until))})
        items == SubSeq(rows, 1, IF Len(rows) < Limit THEN Len(rows) ELSE Limit)
        more == Len(rows) > Limit
        gap == IF items = <<>> THEN c.gap ELSE Gap(Position(t, items[Len(items)]), TRUE)
        page1 == [ok |-> TRUE, table |-> t, cursor |-> c, pin |-> pin, items |-> items, more |-> more,
                  prev |-> \E i \in List(t, pin) : ~IsSelected(Position(t, i), c.gap),
                  next |-> [gap |-> gap, pin |-> IF more THEN pin ELSE NoPin, list |-> c.list]]
    IN IF c.list # "this" THEN [ok |-> FALSE] ELSE page1

Init == /\ live \in BOOLEAN /\ table \in [Ids -> Keys \cup {Null, Absent}] /\ open = [i \in Ids |-> None]
        /\ left = Changes /\ now = 2 /\ until \in {End, Gap(<<1, 2>>, FALSE)}
        /\ cursor = [gap |-> Start, pin |-> None, list |-> "this"] /\ page = [ok |-> FALSE]
        /\ shown = <<>> /\ standing = {} /\ moved = {} /\ greatest = -1 /\ lateEdit = FALSE /\ hasEnded = FALSE
HasBegun == page.ok
Write(i) == /\ left > 0 /\ open[i] = None /\ left' = left - 1 /\ now' = now + 1
            /\ \E k \in Keys \cup {Null, Absent, now} :
                 /\ k # table[i] /\ open' = [open EXCEPT ![i] = k]
                 /\ IF table[i] = Absent THEN i \notin Range(shown) ELSE live => k \in {now, Absent}
            /\ UNCHANGED <<table, standing, moved, lateEdit, client>>
Commit(i) == /\ open[i] # None /\ table' = [table EXCEPT ![i] = open[i]] /\ open' = [open EXCEPT ![i] = None]
             /\ standing' = standing \ {i}
             /\ moved' = IF HasBegun /\ table[i] # Absent /\ open[i] # Absent THEN moved \cup {i} ELSE moved
             /\ lateEdit' = (lateEdit \/ (i \in moved' /\ open[i] <= greatest))
             /\ UNCHANGED <<left, now, client>>
Scroll == /\ Len(shown) < Longest /\ page' = Answer(table, cursor) /\ page' # page /\ cursor' = page'.next
          /\ shown' = shown \o page'.items /\ standing' = IF HasBegun THEN standing ELSE Rows(table)
          /\ greatest' = IF HasBegun THEN greatest ELSE NewPin(table)
          /\ hasEnded' = (hasEnded \/ (HasBegun /\ ~page.more)) /\ UNCHANGED <<others, moved, lateEdit>>
Confuse == /\ ~HasBegun /\ page' = Answer(table, [cursor EXCEPT !.list = "another"]) /\ page'.ok
           /\ UNCHANGED <<others, cursor, shown, standing, moved, greatest, lateEdit, hasEnded>>
Next == (\E i \in Ids : Write(i) \/ Commit(i)) \/ Scroll \/ Confuse

(* The promises. The tail of a live order, behind its end, can repeat what was edited. *)
Repeats(i) == \E a, b \in 1..Len(shown) : a < b /\ shown[a] = i /\ shown[b] = i
IsPassed(i) == ~Beyond(Position(table, i), cursor.gap)
NoRepeat == \A i \in Ids : Repeats(i) => i \in moved /\ (live => (hasEnded \/ lateEdit))
NoSkip == HasBegun => \A i \in standing : IsPassed(i) => i \in Range(shown)
EndIsEnd == HasBegun /\ ~page.more => \A i \in standing : ~Beyond(Position(table, i), until) => i \in Range(shown)
CursorIsPlace == HasBegun =>
    LET rest == Rest(page.table, page.pin, page.cursor.gap)
        precedes(i, j) == Less(Position(page.table, i), Position(page.table, j))
    IN /\ Len(page.items) = IF Cardinality(rest) < Limit THEN Cardinality(rest) ELSE Limit
       /\ Range(page.items) \subseteq rest
       /\ \A n \in 1..Len(page.items) : \A i \in rest \ {page.items[m] : m \in 1..n} : precedes(page.items[n], i)
FlagsAreTrue == HasBegun =>
    /\ page.more = (Rest(page.table, page.pin, page.cursor.gap) \ Range(page.items) # {})
    /\ page.prev = (\E i \in List(page.table, page.pin) : ~Beyond(Position(page.table, i), page.cursor.gap))
RetryIsHarmless == HasBegun /\ table = page.table => Answer(table, page.cursor) = page
CursorIsBound == HasBegun => page.cursor.list = "this"

(* The limits: TLC must find a state in which each of these is false. *)
LateCommitIsMissed == ~\E i \in Rows(table) \ moved : HasBegun /\ IsPassed(i) /\ i \notin Range(shown)
MovedItemRepeats == ~\E i \in Ids : ~live /\ Repeats(i)
MovedItemIsSkipped == ~\E i \in moved : ~live /\ i \notin Range(shown) /\ ~page.more /\ until = End /\ IsPassed(i)
TailRepeats == ~\E i \in Ids : live /\ hasEnded /\ ~lateEdit /\ Repeats(i)
LateEditRepeats == ~\E i \in Ids : live /\ ~hasEnded /\ Repeats(i)
=============================================================================
