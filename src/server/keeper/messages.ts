import { readArguments } from './arguments.ts';
import { sayNothing, withStore } from './store.ts';

/** So many are printed. */
const SHOWN = 50;

/** Prints what operators wrote to the keeper on stdout, newest first. */
export function messages(args: string[]): void {
  readArguments(args, { options: {}, words: 0, usage: 'messages takes nothing more' });
  withStore((store) => {
    const rows = store.contactMessages.newest(SHOWN);
    if (rows.length === 0) return sayNothing('Nobody wrote to you.');
    for (const row of rows) {
      const { id, codename, created_at, mailed_at, subject, message } = row;
      const mailed = mailed_at === null ? 'not mailed' : 'mailed';
      // Indented, so that no message can pass for two.
      const text = message.replaceAll(/^/gm, '  ');
      process.stdout.write(
        `${created_at} ${codename}, ${mailed} (${id})\n  ${subject}\n\n${text}\n\n`,
      );
    }
  });
}
