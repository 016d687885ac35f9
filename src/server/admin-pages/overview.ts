/** What waits for a decision, and what to do next. */
import type { AppContext } from '../context.ts';

interface Waiting {
  label: string;
  count: number;
  /** The page where it is decided; null if there is only the command. */
  href: string | null;
  /** The command that does the same. */
  command: string;
}

/** Everything that can wait for a decision. A new kind needs an entry here. */
const KINDS: readonly (Omit<Waiting, 'count'> & { count: (ctx: AppContext) => number })[] = [
  {
    label: 'Submissions on hold',
    href: null,
    command: 'opbench-board held',
    count: ({ store }) => store.moderation.counts().held_submissions,
  },
];

export function readOverview(ctx: AppContext) {
  const { store } = ctx;
  const publication = ctx.publications.current();
  const { hidden_operators } = store.moderation.counts();
  return {
    waiting: KINDS.map((kind): Waiting => ({ ...kind, count: kind.count(ctx) })),
    accounts: store.operators.total(),
    hidden: hidden_operators,
    staff: store.operators.withRole().map(({ codename, role }) => ({ codename, role })),
    updatedAt: publication?.generated_at ?? null,
  };
}
