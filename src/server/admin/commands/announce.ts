import { UsageError } from '#core/cli/arguments.ts';
import { refusalAmong } from '#core/domain/text/errors.ts';
import { ANNOUNCEMENT_LIMITS, type AnnouncementRequest } from '#core/schema/announcement.ts';
import type { AnnouncementRow } from '#db/announcements.ts';
import type { Store } from '#db/store.ts';
import { endAnnouncement, setAnnouncement } from '#server/announcement/set-announcement.ts';
import { type Command, EXIT, action } from '../command.ts';
import { withStore } from '../store.ts';

const now = () => new Date();
const SOON =
  'A running server updates its pages within seconds. Caches can keep a page for a minute.';

const set = action({
  help: `opbench-board announce set: show one line above all public pages

Usage: opbench-board announce set TEXT --until DAY [--link URL] [--json]

  TEXT         plain text, at most ${ANNOUNCEMENT_LIMITS.text} characters
  --until DAY  the last day in UTC, such as 2027-03-01; at most ${ANNOUNCEMENT_LIMITS.days} days from today
  --link URL   where the line leads: a URL, or a path on the board, such as
               /challenges
  --json       print JSON

It replaces the current announcement, and ends by itself with the last day. On a
board for members, only members see it.

Example: opbench-board announce set "Maintenance on 1 March, 14:00 to 15:00 UTC" \\
  --until 2027-03-01
`,
  json: `opbench-board announce set --json prints one object:

  id       the ID, which the audit log has
  text     the text
  link     a URL, or a path on the board; null if there is none
  set_at   when it was set
  ends_at  when it ends
`,
  options: { until: 'needed', link: 'text' },
  word: 'TEXT',
  run({ word: text, values: { until: last_day, link = null } }, output, settings) {
    withStore(settings, (store) => {
      const row = inOptions(() => setAnnouncement({ store, now }, { text, link, last_day }));
      output.result({ ...row }, linesOf(row));
      output.note(SOON);
    });
    return EXIT.ok;
  },
});

const show = action({
  help: `opbench-board announce show: print the current announcement

Usage: opbench-board announce show [--json]

  --json  print JSON

Example: opbench-board announce show
`,
  json: `opbench-board announce show --json prints one object:

  announcement  {id, text, link, set_at, ends_at}, or null if there is none
`,
  run(_, output, settings) {
    withStore(settings, (store) => {
      const announcement = currentIn(store);
      output.result({ announcement }, announcement ? linesOf(announcement) : '');
      if (!announcement) output.note('There is no announcement.');
    });
    return EXIT.ok;
  },
});

const clear = action({
  help: `opbench-board announce clear: end the announcement now

Usage: opbench-board announce clear [--json]

  --json  print JSON

Example: opbench-board announce clear
`,
  json: `opbench-board announce clear --json prints one object:

  announcement  null
`,
  run(_, output, settings) {
    withStore(settings, (store) => {
      endAnnouncement({ store, now });
      output.result({ announcement: null });
      output.note(`The announcement has ended. ${SOON}`);
    });
    return EXIT.ok;
  },
});

function currentIn({ announcements }: Store): AnnouncementRow | null {
  return announcements.current(now().toISOString()) ?? null;
}

function linesOf({ text, link, ends_at }: AnnouncementRow): string {
  return `${[text, ...(link === null ? [] : [`Link: ${link}`]), `Ends: ${ends_at}`].join('\n')}\n`;
}

/** The argument or option for each field. */
const OPTIONS: Readonly<Record<keyof AnnouncementRequest, string>> = {
  text: 'TEXT',
  link: '--link',
  last_day: '--until',
};

/** Runs `work`. If it rejects fields, the error names the options instead. */
function inOptions<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { faults } = refusalAmong(error, 'validation_failed');
    const texts = faults.map(({ pointer, detail }) => {
      return `${OPTIONS[pointer.slice(2) as keyof AnnouncementRequest]} ${detail}`;
    });
    throw new UsageError(texts.join('; '));
  }
}

export const announce: Command = {
  help: `opbench-board announce: show one line above all public pages

Usage: opbench-board announce set TEXT --until DAY [--link URL] [--json]
       opbench-board announce show [--json]
       opbench-board announce clear [--json]

  set    show an announcement until the end of a day
  show   print the current announcement
  clear  end the announcement now

"opbench-board announce set --help" explains the options.

Example: opbench-board announce set "Maintenance on 1 March, 14:00 to 15:00 UTC" \\
  --until 2027-03-01
`,
  json: `"opbench-board announce set --json" prints {"id", "text", "link", "set_at",
"ends_at"}. "show" prints {"announcement": {…}}, with null if there is none.
"clear" prints {"announcement": null}.
`,
  actions: { set, show, clear },
};
