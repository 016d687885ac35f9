// Caddy and Varnish in front of readers, as the documentation sets them up, if these programs exist.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './lib.mjs';

export async function startFronts(folder, urls) {
  const hosts = urls.map((url) => new URL(url));
  const fronts = [];
  if (exists('caddy', 'version')) fronts.push(startCaddy(folder, hosts, await freePort()));
  if (exists('varnishd', '-V')) fronts.push(startVarnish(folder, hosts, await freePort()));
  return fronts;
}

function startCaddy(folder, hosts, port) {
  const path = join(folder, 'Caddyfile');
  const lines = [
    '{\n admin off\n auto_https off\n}',
    `:${port} {\n bind 127.0.0.1\n reverse_proxy ${hosts.map(({ host }) => host).join(' ')} {`,
    ' lb_policy round_robin\n lb_try_duration 5s',
    ' header_up X-Forwarded-Proto https\n health_uri /readyz\n health_interval 2s\n health_timeout 2s\n }\n}\n',
  ];
  writeFileSync(path, lines.join('\n'));
  return started('Caddy', port, 'caddy', ['run', '--config', path, '--adapter', 'caddyfile']);
}

function startVarnish(folder, hosts, port) {
  const path = join(folder, 'readers.vcl');
  const backends = hosts.map(({ hostname, port }, at) => {
    const probe = '.probe = { .url = "/readyz"; .interval = 2s; }';
    return `backend r${at} { .host = "${hostname}"; .port = "${port}"; ${probe} }`;
  });
  const lines = [
    'vcl 4.1;\nimport directors;',
    ...backends,
    `sub vcl_init { new d = directors.round_robin(); ${hosts.map((_, at) => `d.add_backend(r${at});`).join(' ')} }`,
    'sub vcl_recv { set req.backend_hint = d.backend(); }\n',
  ];
  writeFileSync(path, lines.join('\n'));
  const place = ['-j', 'none', '-F', '-n', join(folder, 'varnish'), '-a', `127.0.0.1:${port}`];
  return started('Varnish', port, 'varnishd', [...place, '-f', path, '-s', 'malloc,64m']);
}

function started(name, port, program, words) {
  const child = spawn(program, words, { stdio: 'ignore' });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { name, url: `http://127.0.0.1:${port}`, stop };
}

function exists(program, word) {
  try {
    execFileSync(program, [word], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
