import type { AccountExport } from '#core/contract/account-export.ts';
import { dayName } from '#core/domain/counting/day.ts';
import { toBase64, toBase64Url } from '#core/domain/text/base64.ts';
import type { AppContext } from '../context.ts';
import { browserSessionOf } from '#server/identity/sessions.ts';
import { checkOf } from '../counting/check-findings.ts';
import { operatorOf } from '../operator/operator.ts';
import { inChunks } from '#server/process/yield-to-event-loop.ts';
import { readMailChoices } from '../member-mail/mail-choices.ts';
import { ownProfile } from '../operator/profile.ts';

type Operator = ReturnType<typeof operatorOf>;
type StoredBucket = ReturnType<AppContext['store']['accountData']['buckets']>[number];
/** The members that can be long. Their items are read while they are sent. */
type Long = 'buckets' | 'log' | 'submissions';
type Item<Name extends Long> = AccountExport[Name][number];
/** Each long member, as the JSON text of its items. */
type LongMembers = Readonly<Record<Long, Iterable<string>>>;

/** How many rows are read at once, which takes a few milliseconds. */
const ROWS = 200;

/**
 * Everything that the board stores about an operator, as chunks of one JSON text. Each chunk is created when it is
 * read.
 *
 * @throws {DomainError} `not_found` if the account was deleted.
 */
export function exportAccount(ctx: AppContext, operator_id: number): Iterable<string> {
  const operator = operatorOf(ctx, operator_id);
  return inChunks(textOf(shortMembers(ctx, operator), longMembers(ctx, operator_id)));
}

/** One object: the short members, then the long ones item by item. */
function* textOf(short: Omit<AccountExport, Long>, long: LongMembers): Generator<string> {
  yield JSON.stringify(short).slice(0, -1);
  for (const [name, items] of Object.entries(long)) {
    yield `,${JSON.stringify(name)}:[`;
    let separator = '';
    for (const item of items) {
      yield separator + item;
      separator = ',';
    }
    yield ']';
  }
  yield '}';
}

function shortMembers(ctx: AppContext, operator: Operator): Omit<AccountExport, Long> {
  const { store } = ctx;
  const { id, public_id, created_at } = operator;
  const exported_at = ctx.now().toISOString();
  const avatar = store.avatars.ofOperator(id);
  return {
    exported_at,
    account: public_id,
    created_at,
    profile: ownProfile(ctx, operator),
    role: operator.role,
    former_codenames: store.codenames.formerOf(id, exported_at),
    avatar: avatar ? { sha256: avatar.hash, webp: toBase64(avatar.body) } : null,
    email: readMailChoices(ctx, id),
    emails: store.mailQueue.ofOperator(id).map((mail) => {
      const { kind, about, occurred_at, outcome, ended_at } = mail;
      return { kind, about, occurred_at, outcome, ended_at };
    }),
    methods: methodsOf(ctx, id),
    sessions: store.sessions.ofOperator(id).map((row) => {
      const {
        id: session,
        method,
        label,
        created_at: since,
        last_seen_at,
        expires_at,
      } = browserSessionOf(row, undefined);
      return { id: session, method, label, created_at: since, last_seen_at, expires_at };
    }),
    applications: store.applications
      .ofOperator(id)
      .map(({ name, redirect_host, created_at: since, last_used_at }) => {
        return { name, redirect_host, created_at: since, last_used_at };
      }),
    events: store.accountEvents.ofOperator(id),
    keeper: store.auditLog.ofOperator(id),
    own_actions: store.auditLog.byOperator(id),
    messages: store.contactMessages.ofOperator(id).map((row) => {
      const { subject, message, created_at: written_at, mailed_at, done_at } = row;
      const answers = store.contactAnswers
        .ofMessage(row.id)
        .map(({ answer, created_at: answered_at, is_mailed }) => {
          return { answer, created_at: answered_at, is_mailed: is_mailed === 1 };
        });
      return { subject, message, created_at: written_at, mailed_at, done_at, answers };
    }),
    devices: devicesOf(ctx, id),
    changed_days: store.changedDays.ofOperator(id).map(({ day, in_time, is_lowered }) => {
      return { day: dayName(day), in_time, is_lowered: is_lowered === 1 };
    }),
  };
}

function methodsOf({ store }: AppContext, operator_id: number): AccountExport['methods'] {
  const passkeys = store.passkeys.ofOperator(operator_id);
  return store.identities.ofOperator(operator_id).map((row) => {
    const { method, label, linked_at, last_used_at } = row;
    const key = passkeys.find(({ identity_id }) => identity_id === row.id);
    const passkey = key && {
      credential_id: toBase64Url(key.credential_id),
      public_key: toBase64Url(key.public_key),
    };
    return { method, label, linked_at, last_used_at, ...(passkey && { passkey }) };
  });
}

function devicesOf({ store }: AppContext, operator_id: number): AccountExport['devices'] {
  return store.accountData.devices(operator_id).map((device) => {
    const { id, public_id, ...members } = device;
    const keys = store.accountData
      .keys(id)
      .map((key) => ({ ...key, public_key: toBase64Url(key.public_key) }));
    return { id: public_id, ...members, keys };
  });
}

function longMembers(ctx: AppContext, operator_id: number): LongMembers {
  return {
    log: entriesOf(ctx, operator_id),
    submissions: submissionsOf(ctx, operator_id),
    buckets: bucketsOf(ctx, operator_id),
  };
}

function* entriesOf({ store }: AppContext, operator_id: number): Generator<string> {
  let after = 0;
  for (;;) {
    const entries: Item<'log'>[] = store.accountData.entries(operator_id, after, ROWS);
    yield* entries.map((entry) => JSON.stringify(entry));
    after = entries.at(-1)?.log_index ?? after;
    if (entries.length < ROWS) return;
  }
}

/** An envelope is stored as JSON text, which can have megabytes, so it is passed on as it is. */
function* submissionsOf({ store }: AppContext, operator_id: number): Generator<string> {
  const checks = Map.groupBy(store.checks.ofOperator(operator_id), ({ id }) => id);
  let row = store.accountData.submission(operator_id, 0);
  while (row) {
    const { payload, ...submission } = row;
    const found = (checks.get(row.id) ?? []).map(checkOf);
    const members: Omit<Item<'submissions'>, 'envelope'> = { ...submission, checks: found };
    yield `${JSON.stringify(members).slice(0, -1)},"envelope":${payload ?? 'null'}}`;
    row = store.accountData.submission(operator_id, row.log_index);
  }
}

function* bucketsOf({ store }: AppContext, operator_id: number): Generator<string> {
  let place: StoredBucket | null = null;
  for (;;) {
    const rows: StoredBucket[] = store.accountData.buckets(operator_id, place, ROWS);
    yield* rows.map((row) => JSON.stringify(exportedBucket(row)));
    place = rows.at(-1) ?? null;
    if (rows.length < ROWS) return;
  }
}

function exportedBucket(row: StoredBucket): Item<'buckets'> {
  const { day, provider, model, tool, input, output, cache_write, cache_read } = row;
  const { device, log_index, counted, fingerprint = null } = row;
  const bucket = { day, provider, model, tool, input, output, cache_write, cache_read };
  return { ...bucket, fingerprint, device, log_index, counts: row.counts === 1, counted };
}
