import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, Failure } from '../failure.ts';
import { writePrivate } from '../state/atomic-file.ts';
import { type Environment, configFolder } from '../settings.ts';
import {
  type Ended,
  EVERY_HOURS,
  type Job,
  MARK,
  type Timer,
  isOurs,
  refuseForeign,
  runProgram,
} from './timer.ts';

const SERVICE = 'opbench.service';
const TIMER = 'opbench.timer';

/**
 * The sandboxing that works without privileges. The rest needs namespaces, which many systems do not allow for user
 * units. MemoryDenyWriteExecute is not possible, because Node compiles code while it runs.
 */
function serviceText({ node, file, variables }: Job): string {
  const environment = Object.entries(variables).map(([name, value]) => {
    return `Environment=${quoted(`${name}=${value}`)}`;
  });
  return `# ${MARK}
[Unit]
Description=Send new token counts to Opbench boards

[Service]
Type=oneshot
ExecStart=${quoted(node)} ${quoted(file).replaceAll('$', '$$$$')} auto run
${environment.map((line) => `${line}\n`).join('')}TimeoutStartSec=1h
Nice=10
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
`;
}

const TIMER_TEXT = `# ${MARK}
[Unit]
Description=Send new token counts to Opbench boards every ${EVERY_HOURS} hours

[Timer]
OnCalendar=*-*-* 00/${EVERY_HOURS}:00:00
RandomizedDelaySec=1h
Persistent=true

[Install]
WantedBy=timers.target
`;

/** A quoted word of a unit file, with quotes and specifiers escaped. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`;
}

export const systemd: Timer = {
  name: 'systemd',
  isUsable: (environment) => ask(environment, 'show', '--property=Version')?.status === 0,
  isSet: (environment) => [SERVICE, TIMER].some((unit) => isOurs(unitPath(environment, unit))),
  isHeeded(environment) {
    if (!systemd.isUsable(environment)) return null;
    return ask(environment, 'is-active', '--quiet', TIMER)?.status === 0;
  },
  set(environment, job) {
    refuseUnsafe(job.node);
    for (const unit of [SERVICE, TIMER]) refuseForeign(unitPath(environment, unit));
    try {
      writePrivate(unitPath(environment, SERVICE), serviceText(job));
      writePrivate(unitPath(environment, TIMER), TIMER_TEXT);
      demand(ask(environment, 'daemon-reload'));
      demand(ask(environment, 'enable', '--now', TIMER));
    } catch (error) {
      systemd.unset(environment);
      throw error;
    }
  },
  unset(environment) {
    if (!systemd.isSet(environment)) return false;
    ask(environment, 'disable', '--now', TIMER);
    // Without a running manager, this link would keep the unit enabled.
    rmSync(unitPath(environment, join('timers.target.wants', TIMER)), { force: true });
    for (const path of [TIMER, SERVICE].map((unit) => unitPath(environment, unit))) {
      if (isOurs(path)) rmSync(path, { force: true });
    }
    ask(environment, 'daemon-reload');
    return true;
  },
};

/** Whether the timer also runs while the user is signed out. Null if unknown. */
export function lingers(environment: Environment, user: string): boolean | null {
  const words = ['loginctl', 'show-user', user, '--property=Linger', '--value'];
  const ended = runProgram(environment, words);
  return ended?.status === 0 ? ended.stdout.toString().trim() === 'yes' : null;
}

function ask(environment: Environment, ...words: string[]): Ended | null {
  return runProgram(environment, ['systemctl', '--user', ...words]);
}

function demand(ended: Ended | null): void {
  if (ended?.status === 0) return;
  const why = ended?.complaint ?? 'systemctl was not found';
  const hint = 'No timer was installed. See "systemctl --user status".';
  throw new Failure(EXIT.usage, `systemd rejected the timer: ${why}`, hint);
}

function unitPath(environment: Environment, unit: string): string {
  return join(configFolder(environment), 'systemd', 'user', unit);
}

/** Rejects paths that systemd cannot run, even quoted. */
function refuseUnsafe(node: string): void {
  if (!/["'\\]/.test(node)) return;
  const message = `systemd cannot run a program with a quote or backslash in its path: ${node}`;
  throw new Failure(EXIT.usage, message, 'Use a Node.js in another folder.');
}
