"""Findings in the words of earlier versions, which stored rows still have.

A row stores its findings as English sentences, so a reworded sentence stays here, with the one that is shown for it.
"""

from __future__ import annotations

from typing import Final

#: The sentence of today by the stored one; both have the same values.
FORMER_SENTENCES: Final[dict[str, str]] = {
    "The recording ends before the game is decided.": "The recording ends before the game is won or lost.",
    "The file states %(claimed)s as its %(what)s; the replayed game gives %(actual)s.": (
        "The file says its %(what)s is %(claimed)s; replaying the game gives %(actual)s."
    ),
    "%(late)s events are earlier than the event before; they take its time.": (
        "Events with an earlier time than the event before them: %(late)s. We use that event's time instead."
    ),
    "The mode %(word)s is not known; the game counts as played by other rules.": (
        "We don't recognise the mode %(word)s, so we count the game under “other rules”."
    ),
    "The name at the end of the file is not the name in its header.": (
        "The name at the end of the file differs from the one in its header."
    ),
    "The two times in the header of the file contradict each other.": (
        "The two times in the file's header contradict each other."
    ),
    "The game goes on after the time that the header states.": "The game continues past the end time in the file header.",
    "The game continues after the time in the header.": "The game continues past the end time in the file header.",
    "FreeSweeper wrote this file; we know nothing about its seal.": (
        "FreeSweeper wrote this file. We know nothing about its seal."
    ),
    "A point lies outside the board on one axis alone, which Arbiter never writes.": (
        "A point lies outside the board on one axis only; Arbiter never writes that."
    ),
    "The %(what)s checksum of the file is %(stored)s, it should be %(expected)s.": (
        "The file's %(what)s checksum is %(stored)s; it should be %(expected)s."
    ),
    "The time stamp of the file has a wording that is not known.": ("We can't read the file's time stamp."),
    "The time stamp of the file holds a date that does not exist.": (
        "The file's time stamp has a date that doesn't exist."
    ),
    "The file says version 0 and has the form of version 2.": (
        "The file says it's version 0 but is built like version 2."
    ),
    "The %(what)s of the game lies beyond the year 9999.": "The %(what)s of the game is after the year 9999.",
    "The file holds a date that does not exist.": "The file has a date that doesn't exist.",
    "The file says that it has %(stated)s bytes; it has %(actual)s.": (
        "The file says it has %(stated)s bytes; it has %(actual)s."
    ),
    "The %(what)s is not the UTF-8 that the file promises; its encoding is a guess.": (
        "The file says its %(what)s is UTF-8, but it isn't; we guessed the encoding."
    ),
    "The file states a date that no calendar holds.": "The file's date doesn't exist in any calendar.",
    "The file states the year %(year)s, before the game existed.": (
        "The file is dated %(year)s, before Minesweeper existed."
    ),
    "The file states %(date)s, after it was uploaded.": "The file is dated %(date)s, after its upload.",
    "The bytes between the events and the seal are not such as Arbiter writes.": (
        "The bytes between the events and the seal aren't what Arbiter writes."
    ),
    "The last line of the file is not the one that Arbiter writes.": (
        "The last line of the file isn't the one Arbiter writes."
    ),
    "The file says version %(version)s and is of the program %(program)s.": (
        "The file says version %(version)s, but its program is %(program)s."
    ),
    "The result states a score of %(score)s s, the end %(time)s ms.": (
        "The result gives a score of %(score)s s, but the end of the file says %(time)s ms."
    ),
    "The result states the time stamp %(result)s, the header %(header)s.": (
        "The time stamp is %(result)s in the result, but %(header)s in the header."
    ),
    "The name in the result is not the name in the header of the file.": (
        "The name in the result differs from the one in the file's header."
    ),
    "RawVF is plain text without a seal: any editor can change it.": (
        "RawVF is plain text without a seal: anyone can edit it."
    ),
    "FreeSweeper wrote the file; nothing is known of its seal.": (
        "FreeSweeper wrote this file. We know nothing about its seal."
    ),
    "The file was made from one of another format; it names %(program)s.": (
        "The file was converted from another format; it says it was made by %(program)s."
    ),
    "The seal of the file is the byte %(byte)s repeated.": "The file's seal is just the byte %(byte)s repeated.",
    "The seal of the file has %(size)s bytes, which its program never writes.": (
        "The file's seal is %(size)s bytes long; its program never writes that length."
    ),
    "%(count)s bytes stand behind the end of the file.": "The file has extra bytes after its end: %(count)s.",
    "The file names %(program)s as its program, which is not in the list.": (
        "The file says it was made by %(program)s, which isn't on our list."
    ),
    "The file is of %(day)s; %(program)s is there only since %(first)s.": (
        "The file is dated %(day)s, but %(program)s didn't exist before %(first)s."
    ),
    "The file is of %(day)s; files of %(program)s count until %(last)s: %(reason)s.": (
        "The file is dated %(day)s; files from %(program)s only count up to %(last)s: %(reason)s."
    ),
    "The file came on %(day)s; files of %(program)s that came after %(last)s count only when staff accept them: %(reason)s.": (
        "The file arrived on %(day)s; files from %(program)s that arrive after %(last)s count only once a moderator accepts them: %(reason)s."
    ),
    "The file does not say when the game began and when it ended.": (
        "The file doesn't say when the game started and ended."
    ),
    "By its dates the game lasted %(dates)s ms, by its events %(events)s ms.": (
        "The game lasted %(dates)s ms according to its dates, but %(events)s ms according to its events."
    ),
    "The %(what)s of the game stands at %(time)s ms instead of 0.": (
        "The %(what)s of the game is at %(time)s ms instead of 0."
    ),
    "%(count)s events stand behind the one that won; Arbiter writes none.": (
        "The file has events after the winning click: %(count)s. Arbiter never writes any."
    ),
    "Arbiter writes hundredths of a second; %(wrong)s of %(all)s times are none.": (
        "Arbiter only writes whole hundredths of a second, but %(wrong)s of %(all)s times aren't whole hundredths."
    ),
    "%(share)s of the times lie on the timer of Clone 0.97; in honest files nearly all do.": (
        "%(share)s of the times match a timer of 15.625 ms."
    ),
    "The times stand in a grid of %(grid)s ms (strength %(strength)s): hundredths that were scaled.": (
        "The times are multiples of %(grid)s ms (strength %(strength)s); no timer we know has that step."
    ),
    "%(jumps)s of %(acts)s button events do not stand where the cursor was; at most %(most)s should.": (
        "%(jumps)s of %(acts)s button events happened away from the cursor; in the games we know it's at most %(most)s."
    ),
    "The file has %(events)s events a 3BV; games played by hand have at least %(least)s.": (
        "The file has %(events)s events per 3BV; the games we know have at least %(least)s."
    ),
    "The file states %(stated)s right clicks; %(found)s are in it.": (
        "The file gives the number of right clicks as %(stated)s, but we count %(found)s."
    ),
    "The opening clicks are those of replay #%(replay)s, whatever their times.": (
        "Opens cells with the same clicks as replay #%(replay)s, ignoring the times."
    ),
    "The board is that of replay #%(replay)s, played in another way.": (
        "Same board as replay #%(replay)s, played differently."
    ),
    "The seal is that of replay #%(replay)s: one of the two files was edited.": (
        "Same seal as replay #%(replay)s: one of the two files was edited."
    ),
    "Unlike %(count)s other games of the player: %(first)s and %(second)s.": (
        "Differs from the player's %(count)s other games: %(first)s and %(second)s."
    ),
    "The clock starts at 0 after %(late)s events at 0.01; they take the time 0.": (
        "The file puts events at 0.01 before the first event at 0 (%(late)s in all); we count them as 0."
    ),
    "The name holds characters that are not visible: %(name)s.": ("The name contains invisible characters: %(name)s."),
    "The clocks of browser and site do not agree on the time of the game.": (
        "The player's browser clock and ours disagree about this game's time."
    ),
    "The process of the site that held the game ended while it was played.": (
        "Our server process restarted during the game."
    ),
    "The player saw %(what)s = %(seen)s; the replayed game gives %(actual)s.": (
        "The player saw %(what)s = %(seen)s; replaying the game gives %(actual)s."
    ),
    "The file says that it was played here; no such game was.": (
        "The file says this game was played here, but we have no record of it."
    ),
    "The file says it was played here, but we have no such game.": (
        "The file says this game was played here, but we have no record of it."
    ),
    "%(jumps)s of %(presses)s presses are not where the mouse was before them.": (
        "%(jumps)s of %(presses)s presses happened away from where the mouse had just been."
    ),
    "%(even)s of %(intervals)s intervals between presses are equal.": (
        "%(even)s of %(intervals)s intervals between presses are identical."
    ),
    "%(count)s cells were opened less than %(limit)s ms after the first number beside them.": (
        "%(count)s cells were opened less than %(limit)s ms after the first number next to them appeared."
    ),
    "The %(what)s is not UTF-8, as the file says; we guessed its encoding.": (
        "The file says its %(what)s is UTF-8, but it isn't; we guessed the encoding."
    ),
    "%(count)s events follow the one that won; Arbiter writes none.": (
        "The file has events after the winning click: %(count)s. Arbiter never writes any."
    ),
    "Arbiter writes hundredths of a second; %(wrong)s of %(all)s times are something else.": (
        "Arbiter only writes whole hundredths of a second, but %(wrong)s of %(all)s times aren't whole hundredths."
    ),
    "The times fall on a grid of %(grid)s ms (strength %(strength)s): scaled hundredths of a second.": (
        "The times are multiples of %(grid)s ms (strength %(strength)s); no timer we know has that step."
    ),
    "%(late)s events are earlier than the event before; we use its time for them.": "Events with an earlier time than the event before them: %(late)s. We use that event's time instead.",
    "%(late)s events have an earlier time than the event before them; we use that event's time instead.": "Events with an earlier time than the event before them: %(late)s. We use that event's time instead.",
    "The file has %(count)s extra bytes after its end.": "The file has extra bytes after its end: %(count)s.",
    "%(count)s events follow the winning click; Arbiter never writes events after it.": "The file has events after the winning click: %(count)s. Arbiter never writes any.",
    "%(count)s bytes follow the end of the file.": "The file has extra bytes after its end: %(count)s.",
    "%(count)s events follow the winning click; Arbiter never writes any.": "The file has events after the winning click: %(count)s. Arbiter never writes any.",
    "%(share)s of the times fit the timer of Clone 0.97; in honest files nearly all do.": "%(share)s of the times match a timer of 15.625 ms.",
    "%(jumps)s of %(acts)s button events are not where the cursor was; at most %(most)s is normal.": "%(jumps)s of %(acts)s button events happened away from the cursor; in the games we know it's at most %(most)s.",
    "%(jumps)s of %(presses)s presses are not where the mouse was just before.": "%(jumps)s of %(presses)s presses happened away from where the mouse had just been.",
    "We don't know the mode %(word)s, so the game counts as played by other rules.": "We don't recognise the mode %(word)s, so we count the game under “other rules”.",
    "The file says version 0 but is built like version 2.": "The file says it's version 0 but is built like version 2.",
    "The file says the year %(year)s, before Minesweeper existed.": "The file is dated %(year)s, before Minesweeper existed.",
    "The file names %(program)s as its program, which isn't on our list.": "The file says it was made by %(program)s, which isn't on our list.",
    "The file says %(stated)s right clicks; it has %(found)s.": "The file gives the number of right clicks as %(stated)s, but we count %(found)s.",
    "The file says %(claimed)s for its %(what)s; replaying the game gives %(actual)s.": "The file says its %(what)s is %(claimed)s; replaying the game gives %(actual)s.",
    "The file was converted from another format; it names %(program)s.": "The file was converted from another format; it says it was made by %(program)s.",
    "The game lasted %(dates)s ms by its dates, but %(events)s ms by its events.": "The game lasted %(dates)s ms according to its dates, but %(events)s ms according to its events.",
    "The bytes between the events and the seal are not what Arbiter writes.": "The bytes between the events and the seal aren't what Arbiter writes.",
    "The last line of the file is not the one Arbiter writes.": "The last line of the file isn't the one Arbiter writes.",
    "Arbiter writes whole hundredths of a second; %(wrong)s of %(all)s times are not.": "Arbiter only writes whole hundredths of a second, but %(wrong)s of %(all)s times aren't whole hundredths.",
    "The score is %(score)s s in the result, but the end says %(time)s ms.": "The result gives a score of %(score)s s, but the end of the file says %(time)s ms.",
    "The file is dated %(day)s; files from %(program)s count until %(last)s: %(reason)s.": "The file is dated %(day)s; files from %(program)s only count up to %(last)s: %(reason)s.",
    "%(share)s of the times match the timer of Clone 0.97; in honest files nearly all do.": "%(share)s of the times match a timer of 15.625 ms.",
    "The file is dated %(day)s, but %(program)s has existed only since %(first)s.": "The file is dated %(day)s, but %(program)s didn't exist before %(first)s.",
    "Arbiter writes whole hundredths of a second; %(wrong)s of %(all)s times aren't.": "Arbiter only writes whole hundredths of a second, but %(wrong)s of %(all)s times aren't whole hundredths.",
    "Same opening clicks as replay #%(replay)s, ignoring the times.": "Opens cells with the same clicks as replay #%(replay)s, ignoring the times.",
    "The clock starts at 0 after %(late)s events at 0.01; we count those as 0.": "The file puts events at 0.01 before the first event at 0 (%(late)s in all); we count them as 0.",
    "The file says it has %(stated)s right clicks; it has %(found)s.": "The file gives the number of right clicks as %(stated)s, but we count %(found)s.",
    "The times are multiples of %(grid)s ms (strength %(strength)s), like rescaled hundredths of a second.": "The times are multiples of %(grid)s ms (strength %(strength)s); no timer we know has that step.",
    "We don't know the mode %(word)s, so we treat the game as played by other rules.": "We don't recognise the mode %(word)s, so we count the game under “other rules”.",
    "Your browser's clock and ours disagree on the time of the game.": "The player's browser clock and ours disagree about this game's time.",
    "%(jumps)s of %(acts)s button events happened away from the cursor; at most %(most)s is normal.": "%(jumps)s of %(acts)s button events happened away from the cursor; in the games we know it's at most %(most)s.",
    "The game continues after the time in the file header.": "The game continues past the end time in the file header.",
    "%(share)s of the times match the timer of Clone 0.97; in unedited files, nearly all of them do.": "%(share)s of the times match a timer of 15.625 ms.",
    "The times are multiples of %(grid)s ms (strength %(strength)s), as if hundredths of a second had been rescaled.": "The times are multiples of %(grid)s ms (strength %(strength)s); no timer we know has that step.",
    "%(jumps)s of %(acts)s button events happened away from the cursor; up to %(most)s is normal.": "%(jumps)s of %(acts)s button events happened away from the cursor; in the games we know it's at most %(most)s.",
    "The file has %(events)s events per 3BV; games played by hand have at least %(least)s.": "The file has %(events)s events per 3BV; the games we know have at least %(least)s.",
    "The name looks like that of player #%(player)s, %(name)s.": "The name looks like another player's: #%(player)s, %(name)s.",
}
#: The word of today by the stored one, in the values of sentences.
FORMER_WORDS: Final[dict[str, str]] = {
    "number of double clicks": "number of chords",
    "the rate of the mouse": "the mouse's polling rate",
    "the share of equal time steps": "the share of identical time steps",
    "the time for which the button is held": "how long the button is held",
    "boards of other programs could be loaded and played as if they were new": "boards from other programs could be loaded and played as if they were new",
    "Clone is no official program since": "Clone is no longer an official program",
    "a weakness of its random boards was found": "a weakness in its random boards was found",
    "the mouse's report rate": "the mouse's polling rate",
}
