/** Those whom the board depends on: the mail server, and the services that people sign in with. */
import { METHOD_NAMES } from '#core/domain/account/sign-in-method.ts';
import { type Config, listenUrl } from '#server/config/config.ts';
import { tryMailServer } from '#server/mail/mailer.ts';
import { type ProbeAnswer, probeUrl, tryApplication } from '#server/identity/sign-in/probe-url.ts';
import { type DoctorCheck, checksOf, durationText } from './check.ts';

const TIMEOUT_MS = 5_000;

interface OutsideReport {
  checks: DoctorCheck[];
  /** By how many milliseconds each one's clock is ahead of this machine's. */
  aheadMs: number[];
}

type Question = (config: Config) => Promise<OutsideReport>;

export async function askAll(config: Config): Promise<OutsideReport> {
  const questions: Question[] = [askMail, askAuthority, askGithub, askTwitter];
  const reports = await Promise.all(questions.map((ask) => ask(config)));
  return {
    checks: reports.flatMap(({ checks }) => checks),
    aheadMs: reports.flatMap(({ aheadMs }) => aheadMs),
  };
}

const NOTHING: OutsideReport = { checks: [], aheadMs: [] };

async function askMail({ signIn }: Config): Promise<OutsideReport> {
  if (!signIn.mail) return NOTHING;
  const { ok, problem } = checksOf('mail');
  // The rest of the setting holds a password.
  const { host } = new URL(signIn.mail.smtpUrl);
  const refusal = await tryMailServer(signIn.mail, TIMEOUT_MS);
  if (!refusal) return { checks: [ok(`${host} would take mail; none was sent`)], aheadMs: [] };
  const codes = Object.values(refusal).join(' ');
  const check =
    refusal['code'] === 'EAUTH'
      ? problem(
          `${host} refuses the user and password of SMTP_URL (${codes})`,
          'Set SMTP_URL right',
        )
      : problem(
          `${host} does not take mail (${codes})`,
          'Look at host, port and smtp:// or smtps:// of SMTP_URL, and whether this machine may connect to it',
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
    const told = answer ? `answers ${answer.status}` : 'does not answer';
    return { checks: [problem(`${address} ${told}`, 'Set AUTH_URL right, or start it')], aheadMs };
  }
  const issuer = issuerIn(answer.text);
  if (issuer === url) return { checks: [ok(`the provider ${url} answers`)], aheadMs };
  const told = issuer === null ? 'is no OpenID provider' : `calls itself ${issuer}`;
  const advice = 'Set AUTH_URL to what the provider calls itself, letter for letter';
  return { checks: [problem(`what answers at AUTH_URL ${told}`, advice)], aheadMs };
}

function issuerIn(text: string): string | null {
  try {
    const { issuer } = JSON.parse(text) as { issuer?: unknown };
    return typeof issuer === 'string' ? issuer : null;
  } catch {
    return null;
  }
}

async function askGithub(config: Config): Promise<OutsideReport> {
  const { github, authority } = config.signIn;
  if (!github || authority) return NOTHING;
  const { ok, problem } = checksOf('sign-in');
  const reached = await reach('github', github.apiUrl);
  if (reached.checks.length > 0) return reached;
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  const redirectUri = `${baseUrl}/login/github/callback`;
  const refusal = await tryApplication({ name: 'github', ...github, redirectUri });
  const advice = `Look at GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET, and that its callback is ${redirectUri}`;
  const check = refusal === null ? ok('GitHub knows the application') : problem(refusal, advice);
  return { checks: [check], aheadMs: reached.aheadMs };
}

/** X tells a wrong code and a wrong application apart in no way that can be relied on. */
async function askTwitter({ signIn }: Config): Promise<OutsideReport> {
  const { twitter, authority } = signIn;
  if (!twitter || authority) return NOTHING;
  const reached = await reach('twitter', twitter.apiUrl);
  if (reached.checks.length > 0) return reached;
  const text = 'X answers; whether it knows the application shows when somebody signs in';
  return { ...reached, checks: [checksOf('sign-in').ok(text)] };
}

/** Finds nothing to say if a site answers. */
async function reach(name: 'github' | 'twitter', url: string): Promise<OutsideReport> {
  const answer = await probeUrl(url);
  const aheadMs = aheadOf(answer);
  if (answer !== null && answer.status < 500) return { checks: [], aheadMs };
  const told = answer === null ? 'does not answer' : `answers ${answer.status}`;
  const advice =
    'Look at whether this machine may connect to it; else wait: nobody can sign in with it now';
  return {
    checks: [checksOf('sign-in').problem(`${METHOD_NAMES[name]} ${told} at ${url}`, advice)],
    aheadMs,
  };
}

function aheadOf(answer: ProbeAnswer | null): number[] {
  return answer === null || answer.dateMs === null ? [] : [answer.dateMs - Date.now()];
}

const clock = checksOf('clock');

/** Those outside tell whole seconds, and late. */
const NOTICED_MS = 30_000;
/** Snapshots are dated, and days are counted, by clocks that agree this much. */
const WRONG_MS = 300_000;
const CLOCK_ADVICE = 'Have the system set its clock by the network: timedatectl set-ntp true';

/**
 * Whether this machine's time can be right.
 *
 * @param aheadMs By how many milliseconds the clocks of those asked outside are ahead.
 * @param newestEntry When the newest entry of the log was made; null if that is not known.
 */
export function clockChecks(aheadMs: readonly number[], newestEntry: string | null): DoctorCheck[] {
  const now = Date.now();
  const lateMs = newestEntry === null ? 0 : Date.parse(newestEntry) - now;
  if (lateMs > NOTICED_MS) {
    const text = `it is ${durationText(lateMs)} before the newest entry of the log, of ${newestEntry}`;
    return [clock.problem(text, CLOCK_ADVICE)];
  }
  if (aheadMs.length === 0) {
    const than = newestEntry === null ? '' : ', after the newest entry of the log';
    const text = `${new Date(now).toISOString()}${than}; nobody outside was asked for the time`;
    return [clock.ok(text)];
  }
  // One may be wrong: what the middle one says counts.
  const sorted = [...aheadMs].sort((a, b) => a - b);
  const ahead = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const by = durationText(Math.abs(ahead));
  const text = `it is ${by} ${ahead > 0 ? 'behind' : 'ahead of'} the clocks of others`;
  if (Math.abs(ahead) > WRONG_MS) return [clock.problem(text, CLOCK_ADVICE)];
  if (Math.abs(ahead) > NOTICED_MS) return [clock.warning(text, CLOCK_ADVICE)];
  return [clock.ok(`${new Date(now).toISOString()}, as the clocks of others say`)];
}
