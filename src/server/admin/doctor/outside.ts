/** Checks other hosts that the board depends on: the mail server and the sign-in services. */
import { METHOD_NAMES } from '#core/domain/account/sign-in-method.ts';
import { type Config, listenUrl } from '#server/config/config.ts';
import { tryMailServer } from '#server/mail/mailer.ts';
import { type ProbeAnswer, probeUrl, tryApplication } from '#server/identity/sign-in/probe-url.ts';
import { type DoctorCheck, checksOf, durationText } from './check.ts';

const TIMEOUT_MS = 5_000;

interface OutsideReport {
  checks: DoctorCheck[];
  /** For each host, how many milliseconds its clock is ahead of this machine's. */
  aheadMs: number[];
}

type Question = (config: Config, unknown: readonly string[]) => Promise<OutsideReport>;

/** @param unknown Secret settings whose values are placeholders, which other hosts would reject. */
export async function askAll(config: Config, unknown: readonly string[]): Promise<OutsideReport> {
  const questions: Question[] = [askMail, askAuthority, askGithub, askTwitter];
  const reports = await Promise.all(questions.map((ask) => ask(config, unknown)));
  return {
    checks: reports.flatMap(({ checks }) => checks),
    aheadMs: reports.flatMap(({ aheadMs }) => aheadMs),
  };
}

const NOTHING: OutsideReport = { checks: [], aheadMs: [] };

async function askMail({ signIn }: Config, unknown: readonly string[]): Promise<OutsideReport> {
  if (!signIn.mail || unknown.includes('SMTP_URL')) return NOTHING;
  const { ok, problem } = checksOf('mail');
  // Show only the host, because the setting holds a password.
  const { host } = new URL(signIn.mail.smtpUrl);
  const refusal = await tryMailServer(signIn.mail, TIMEOUT_MS);
  if (!refusal)
    return {
      checks: [ok(`${host} accepts the connection and the sign-in (no mail was sent)`)],
      aheadMs: [],
    };
  const codes = Object.values(refusal).join(' ');
  const check =
    refusal['code'] === 'EAUTH'
      ? problem(
          `${host} rejects the user or password in SMTP_URL (${codes})`,
          'Correct the user and password in SMTP_URL. Write special characters as %XX, for example @ as %40.',
        )
      : problem(
          `${host} does not accept mail (${codes})`,
          'Check the host, the port and smtp:// or smtps:// in SMTP_URL, and whether a firewall blocks the connection.',
        );
  return { checks: [check], aheadMs: [] };
}

async function askAuthority({ signIn }: Config): Promise<OutsideReport> {
  if (!signIn.authority) return NOTHING;
  const { ok, problem } = checksOf('sign-in');
  const { url } = signIn.authority;
  const address = `${url.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await probeUrl(address);
  const aheadMs = aheadOf(answer);
  if (answer?.status !== 200) {
    const state = answer ? `returns ${answer.status}` : 'does not respond';
    const advice = 'Check AUTH_URL, and that the provider is running.';
    return { checks: [problem(`${address} ${state}`, advice)], aheadMs };
  }
  const issuer = issuerIn(answer.text);
  if (issuer === url) return { checks: [ok(`the OpenID provider ${url} responds`)], aheadMs };
  const found =
    issuer === null
      ? 'the server at AUTH_URL is not an OpenID provider'
      : `AUTH_URL is ${url}, but the provider's issuer is ${issuer}`;
  const advice = "Set AUTH_URL to the provider's issuer, character for character.";
  return { checks: [problem(found, advice)], aheadMs };
}

function issuerIn(text: string): string | null {
  try {
    const { issuer } = JSON.parse(text) as { issuer?: unknown };
    return typeof issuer === 'string' ? issuer : null;
  } catch {
    return null;
  }
}

async function askGithub(config: Config, unknown: readonly string[]): Promise<OutsideReport> {
  const { github, authority } = config.signIn;
  if (!github || authority) return NOTHING;
  const { ok, problem } = checksOf('sign-in');
  const reached = await reach('github', github.apiUrl);
  if (reached.checks.length > 0 || unknown.includes('GITHUB_CLIENT_SECRET')) return reached;
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  const redirectUri = `${baseUrl}/login/github/callback`;
  const refusal = await tryApplication({ name: 'github', ...github, redirectUri });
  const advice = `Check GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET, and that the OAuth app's callback URL is ${redirectUri}`;
  const check =
    refusal === null ? ok('GitHub accepts the client ID and secret') : problem(refusal, advice);
  return { checks: [check], aheadMs: reached.aheadMs };
}

/** Checks only the connection: X does not reliably distinguish a wrong code from a wrong client. */
async function askTwitter({ signIn }: Config): Promise<OutsideReport> {
  const { twitter, authority } = signIn;
  if (!twitter || authority) return NOTHING;
  const reached = await reach('twitter', twitter.apiUrl);
  if (reached.checks.length > 0) return reached;
  const text = 'X responds (the client ID and secret can be tested only by signing in)';
  return { ...reached, checks: [checksOf('sign-in').ok(text)] };
}

/** Returns no checks if the site responds. */
async function reach(name: 'github' | 'twitter', url: string): Promise<OutsideReport> {
  const answer = await probeUrl(url);
  const aheadMs = aheadOf(answer);
  if (answer !== null && answer.status < 500) return { checks: [], aheadMs };
  const state = answer === null ? 'does not respond' : `returns ${answer.status}`;
  const advice =
    'Check whether a firewall blocks the connection. Until it works, people cannot sign in with it.';
  return {
    checks: [checksOf('sign-in').problem(`${METHOD_NAMES[name]} ${state} at ${url}`, advice)],
    aheadMs,
  };
}

function aheadOf(answer: ProbeAnswer | null): number[] {
  return answer === null || answer.dateMs === null ? [] : [answer.dateMs - Date.now()];
}

const clock = checksOf('clock');

/** Smaller differences mean nothing: other hosts send whole seconds, and responses take time. */
const NOTICED_MS = 30_000;
/** With a larger difference, the board rejects snapshots or counts days wrong. */
const WRONG_MS = 300_000;
const CLOCK_ADVICE = 'Turn on clock synchronization: timedatectl set-ntp true';

/**
 * Whether this machine's clock can be right.
 *
 * @param aheadMs For each host, how many milliseconds its clock is ahead of this machine's.
 * @param newestEntry Time of the newest log entry; null if unknown.
 */
export function clockChecks(aheadMs: readonly number[], newestEntry: string | null): DoctorCheck[] {
  const now = Date.now();
  const lateMs = newestEntry === null ? 0 : Date.parse(newestEntry) - now;
  if (lateMs > NOTICED_MS) {
    const text = `the clock is ${durationText(lateMs)} behind the newest log entry (${newestEntry})`;
    return [clock.problem(text, CLOCK_ADVICE)];
  }
  if (aheadMs.length === 0) {
    const after = newestEntry === null ? '' : ', after the newest log entry';
    const text = `${new Date(now).toISOString()}${after} (not compared with other hosts)`;
    return [clock.ok(text)];
  }
  // The median, because one host may be wrong.
  const sorted = [...aheadMs].sort((a, b) => a - b);
  const ahead = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const by = durationText(Math.abs(ahead));
  const text = `the clock is ${by} ${ahead > 0 ? 'behind' : 'ahead of'} the clocks of other hosts`;
  if (Math.abs(ahead) > WRONG_MS) return [clock.problem(text, CLOCK_ADVICE)];
  if (Math.abs(ahead) > NOTICED_MS) return [clock.warning(text, CLOCK_ADVICE)];
  return [clock.ok(`${new Date(now).toISOString()}, which agrees with other hosts`)];
}
