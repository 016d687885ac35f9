import { UsageError, oneOf } from '#core/cli/arguments.ts';
import { AUDIT_FILTERS, auditFilter } from '#core/domain/account/audit-filter.ts';
import { refusalAmong } from '#core/domain/text/errors.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { AUDIT_ACTIONS, AUDIT_VIAS } from '#core/schema/audit.ts';
import type { AuditRow } from '#db/audit-log.ts';
import { EXIT, LIMIT, command } from '../command.ts';
import { withStore } from '../store.ts';

const SHOWN = 50;

const OPTIONS = {
  who: 'text',
  via: oneOf(AUDIT_VIAS),
  action: oneOf(AUDIT_ACTIONS),
  subject: 'text',
  since: 'text',
  until: 'text',
  limit: LIMIT,
} as const;

export const auditList = command({
  help: `opbench-board audit: list what admins did, newest first

Usage: opbench-board audit [--who NAME] [--via WAY] [--action ACTION]
         [--subject TEXT] [--since DAY] [--until DAY] [--limit N] [--json]

  --who NAME       only what this account did on the admin pages, by its codename
  --via WAY        ${AUDIT_VIAS.join(', ')}; "board" is what the board did by
                   itself, such as scheduled backups
  --action ACTION  only this action, as the list shows it
  --subject TEXT   only entries with this text in the subject or in the codename
                   of the account concerned
  --since DAY      the first day in UTC, such as 2027-03-01
  --until DAY      the last day in UTC
  --limit N        show at most N actions; default: ${SHOWN}
  --json           print JSON

The page /admin/audit has the same filters.

Example: opbench-board audit --who ada --since 2027-03-01
`,
  json: `opbench-board audit --json prints one object:

  entries  array of {created_at, action, subject, codename, reason, actor, via, ...};
           actor is the codename of the admin on the page, or null; via is board,
           command, page or setup
`,
  options: OPTIONS,
  run({ values: { limit = SHOWN, ...given } }, output, settings) {
    const filter = filterOf(given);
    withStore(settings, (store) => {
      const entries = store.auditLog.filtered(filter, limit);
      output.result({ entries }, entries.map(lineOf).join(''));
      if (entries.length > 0) return;
      const isFiltered = AUDIT_FILTERS.some((name) => filter[name] !== '');
      output.note(
        isFiltered ? 'No admin actions match the filter.' : 'There are no admin actions yet.',
      );
    });
    return EXIT.ok;
  },
});

/** @throws {UsageError} that names each invalid option. */
function filterOf(given: Parameters<typeof auditFilter>[0]) {
  try {
    return auditFilter(given);
  } catch (error) {
    const { faults } = refusalAmong(error, 'validation_failed');
    const texts = faults.map(({ pointer, detail }) => {
      return `--${pointer.slice(2)} ${detail.replace('the first day', '--since')}`;
    });
    throw new UsageError(texts.join('; '));
  }
}

function lineOf({ created_at, action, subject, codename, reason, actor, via }: AuditRow): string {
  const target = codename === null || codename === subject ? '' : ` (${codename})`;
  const why = reason === null ? '' : `: ${reason}`;
  return `${plain(`${created_at} ${action} ${subject}${target}${byWords({ actor, via })}${why}`)}\n`;
}

function byWords({ actor, via }: Pick<AuditRow, 'actor' | 'via'>): string {
  if (via === 'command') return '';
  return via === 'board' ? ', by the board' : `, by ${actor ?? 'a deleted account'}`;
}
