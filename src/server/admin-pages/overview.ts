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
    href: '/admin/decisions',
    command: 'opbench-board held',
    count: ({ store }) => store.moderation.counts().held_submissions,
  },
  {
    label: 'Open messages',
    href: '/admin/messages',
    command: 'opbench-board messages list --open',
    count: ({ store }) => store.contactMessages.openCount(),
  },
];

interface Step {
  title: string;
  text: string;
  href: string;
  link: string;
}

/** What a new admin can do next, until it is done: add a device, keep access, and invite people. */
function nextSteps({ store, config }: AppContext, operator_id: number): Step[] {
  const hasDevice = store.accountData.devices(operator_id).length > 0;
  const hasMethod = store.identities.ofOperator(operator_id).length > 0;
  const isAlone = store.operators.total() === 1;
  return [
    ...(hasMethod
      ? []
      : [
          {
            title: 'Make sure that you can sign in again',
            text: 'Link a sign-in method to your account. Until then, only a link from the server signs you in: opbench-board login-link',
            href: '/settings/sign-in',
            link: 'Sign-in methods',
          },
        ]),
    ...(hasDevice
      ? []
      : [
          {
            title: 'Add your device',
            text: 'Your usage is the first on the board, and you see what operators see.',
            href: '/settings#key',
            link: 'Add a device',
          },
        ]),
    ...(isAlone
      ? [
          {
            title: 'Invite people',
            text:
              config.access.join === 'open'
                ? `Send them an invitation, or share the address of the board, ${config.baseUrl}.`
                : 'Send them an invitation. Sharing the address of the board is not enough, because not everyone can join.',
            href: '/admin/invitations',
            link: 'Create an invitation',
          },
        ]
      : []),
  ];
}

export function readOverview(ctx: AppContext, operator_id: number) {
  const { store } = ctx;
  const publication = ctx.publications.current();
  const { hidden_operators } = store.moderation.counts();
  return {
    steps: nextSteps(ctx, operator_id),
    waiting: KINDS.map((kind): Waiting => ({ ...kind, count: kind.count(ctx) })),
    accounts: store.operators.total(),
    hidden: hidden_operators,
    staff: store.operators.withRole().map(({ codename, role }) => ({ codename, role })),
    updatedAt: publication?.generated_at ?? null,
  };
}
