// Builds the server, its threads and both commands into dist, if sources changed.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { extname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { readPublicKey } from './release/minisign.mjs';
import { ROOT, childNode, ensureNode } from './runtime.mjs';

const SOURCES = ['src', 'db', 'public', 'scripts/deploy'];
const FILES = ['astro.config.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'];
/** File types that browsers load and that are not compressed already. */
const COMPRESSED = new Set(['.css', '.ico', '.js', '.svg', '.txt']);
/** The key that `opbench-board upgrade` trusts. Without the file, the build cannot upgrade itself. */
const RELEASE_KEY = '.config/release-key.pub';
const SCRIPTS = ['build.mjs', 'check-contract.mjs', 'release/minisign.mjs'];
const STAMP = join(ROOT, 'dist', '.stamp');

/** Builds if sources changed. Without the build tools, an existing build is used as it is. */
export async function build() {
  await buildSources();
  writeBuildFile();
}

async function buildSources() {
  const stamp = stampOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  if (!existsSync(join(ROOT, 'node_modules', 'astro'))) {
    if (existsSync(STAMP)) return;
    throw new Error(
      'The folder dist is missing, and so are the packages that build it. Run: npm ci',
    );
  }
  console.error('Building (sources changed) ...');
  checkContract();
  buildServer();
  await buildBundles();
  compressClient();
  writeFileSync(STAMP, stamp);
}

/** Writes what `opbench-board --version` prints. A new commit can change it without changing sources. */
function writeBuildFile() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const text = `${JSON.stringify({ version, commit: commitOfSources() })}\n`;
  const path = join(ROOT, 'dist', 'build.json');
  // A checkout may be read-only once it is built.
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writeFileSync(path, text);
}

/** Returns null outside a Git checkout. A repository around this folder does not count. */
function commitOfSources() {
  const { OPBENCH_COMMIT: given } = process.env;
  if (given) return given;
  if (!existsSync(join(ROOT, '.git'))) return null;
  const asked = ['rev-parse', 'HEAD'];
  const { status, stdout } = spawnSync('git', asked, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

function stampOfSources() {
  const hash = createHash('sha256');
  const walk = (folder) => {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (path === 'db/data') continue;
      if (entry.isDirectory()) walk(path);
      else hash.update(path).update(readFileSync(join(ROOT, path)));
    }
  };
  SOURCES.forEach(walk);
  const key = existsSync(join(ROOT, RELEASE_KEY)) ? [RELEASE_KEY] : [];
  for (const file of [...FILES, ...key, ...SCRIPTS.map((name) => `scripts/${name}`)]) {
    hash.update(file).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}

/** @throws {Error} if the contract and the server's operations differ. */
function checkContract() {
  const script = join(ROOT, 'scripts', 'check-contract.mjs');
  const { status, stderr } = spawnSync(childNode(), [script], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** The variables that programs need to run. Astro puts others into the server if their names occur in its sources. */
const NEEDED =
  /^(?:appdata|comspec|home|localappdata|node_options|path|pathext|systemroot|te?mp|tmpdir|userprofile)$/i;

function buildServer() {
  const astro = join(ROOT, 'node_modules', 'astro', 'bin', 'astro.mjs');
  const { status, stdout, stderr } = spawnSync(childNode(), [astro, 'build', '--silent'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => NEEDED.test(name))),
      ASTRO_TELEMETRY_DISABLED: '1',
      // Nothing is encrypted with this key, but a random one would make each build different.
      ASTRO_KEY: Buffer.alloc(32).toString('base64'),
      NODE_ENV: 'production',
    },
  });
  if (status !== 0) throw new Error(`astro build failed:\n${stdout}${stderr}`);
  forgetFolder();
}

/** Removes the folder of the checkout from Astro's manifest, so that the build does not depend on where it was built. */
function forgetFolder() {
  const entry = join(ROOT, 'dist', 'server', 'entry.mjs');
  const text = readFileSync(entry, 'utf8');
  const withoutUrl = text.replaceAll(pathToFileURL(ROOT).href, 'file:///');
  writeFileSync(entry, withoutUrl.replaceAll(`"${ROOT.replaceAll('\\', '/')}`, '"/'));
}

async function buildBundles() {
  const esbuild = await import('esbuild');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const common = {
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    format: 'esm',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    define: { OPBENCH_VERSION: JSON.stringify(version) },
  };
  const statusLine = await builtStatusLine(esbuild, common, version);
  const [agent] = await Promise.all([
    esbuild.build({
      ...common,
      entryPoints: { opbench: 'src/agent/cli.ts' },
      outdir: 'dist',
      outExtension: { '.js': '.mjs' },
      target: 'node20',
      minifySyntax: true,
      minifyWhitespace: true,
      plugins: [rawStyles(esbuild), builtinsWhenUsed],
      alias: { '@modelcontextprotocol/server/_shims': './src/agent/mcp/sdk-runtime.ts' },
      // The server replaces this with its own address.
      define: {
        ...common.define,
        OPBENCH_BOARD: JSON.stringify('@OPBENCH_BOARD@'),
        OPBENCH_STATUSLINE: JSON.stringify(statusLine),
      },
      // The second line lets opbench read the version of a saved copy without running it.
      banner: { js: `#!/usr/bin/env node\n// opbench ${version}\n${REQUIRE}` },
    }),
    esbuild.build({
      ...common,
      entryPoints: {
        'backup-worker': 'src/server/backups/backup-worker.ts',
        'publication-worker': 'src/server/publication/worker.ts',
        'public-log-worker': 'src/server/public-log/worker.ts',
        'parquet-worker': 'src/server/parquet/worker.ts',
        'markdown-worker': 'src/server/markdown/markdown-worker.ts',
        raster: 'src/server/raster/main.ts',
      },
      outdir: 'dist',
      outExtension: { '.js': '.mjs' },
      target: 'node22',
      external: ['better-sqlite3', 'sharp'],
    }),
  ]);
  await buildSingleFile(esbuild, common);
  cpSync(join(ROOT, 'src/server/raster/fonts'), join(ROOT, 'dist/fonts'), { recursive: true });
  copyDeploymentFiles();
  copyInstallers();
  await buildAdmin(esbuild, common);
  await buildSatellite(esbuild);
  refuseForeignImports(agent.metafile);
}

/** Lets bundled modules load Node's built-in modules with `require`. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);`;

/**
 * Loads Node's built-in modules when the first module that uses them runs. As imports of a single file, all of them
 * would be loaded at every start.
 */
const builtinsWhenUsed = {
  name: 'builtins-when-used',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, namespace }) => {
      if (namespace === 'builtin') return { path, external: true };
      return { path, namespace: 'builtin' };
    });
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const required = `require(${JSON.stringify(path)})`;
      // Copying the members of this module would load the parts of Node.js behind each of them.
      const shown = path === 'node:util' ? `Object.create(${required})` : required;
      return { contents: `module.exports = ${shown};`, loader: 'js' };
    });
  },
};

/** Imports of style sheets as text, such as `./base.css?raw`. */
function rawStyles({ transform }) {
  return {
    name: 'raw-styles',
    setup(build) {
      build.onResolve({ filter: /\.css\?raw$/ }, ({ path, resolveDir }) => {
        const file = join(resolveDir, path.replace('?raw', ''));
        // The bundle contains this path.
        return { path: relative(ROOT, file), namespace: 'raw-styles' };
      });
      build.onLoad({ filter: /.*/, namespace: 'raw-styles' }, async ({ path }) => {
        const options = { loader: 'css', minifyWhitespace: true };
        const { code } = await transform(readFileSync(join(ROOT, path), 'utf8'), options);
        return { contents: code, loader: 'text' };
      });
    },
  };
}

/** The text of the program of installed status lines, which opbench saves. */
async function builtStatusLine(esbuild, common, version) {
  const { outputFiles } = await esbuild.build({
    ...common,
    entryPoints: ['src/agent/statusline/main.ts'],
    write: false,
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: `#!/usr/bin/env node\n// opbench ${version}` },
  });
  return outputFiles[0].text;
}

/** The files that `opbench-board deploy` writes. */
function copyDeploymentFiles() {
  const to = join(ROOT, 'dist', 'deploy');
  rmSync(to, { recursive: true, force: true });
  const filter = (path) => !/README.md$|backup.sh$/.test(path);
  cpSync(join(ROOT, 'scripts', 'deploy'), to, { recursive: true, filter });
}

async function buildSingleFile(esbuild, common) {
  await esbuild.build({
    ...common,
    entryPoints: { 'single-file': 'src/server/single-file/main.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    target: 'node24',
  });
}

function copyInstallers() {
  for (const name of ['install.sh', 'install.ps1']) {
    cpSync(join(ROOT, 'src/server/cli-release', name), join(ROOT, 'dist/install', name));
  }
}

/** opbench-board: a small file that an old Node can parse, which loads the rest from dist/admin. */
async function buildAdmin(esbuild, common) {
  rmSync(join(ROOT, 'dist', 'admin'), { recursive: true, force: true });
  await esbuild.build({
    ...common,
    entryPoints: { 'opbench-board': 'src/server/admin/cli.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'admin/[name]-[hash]',
    splitting: true,
    target: 'node22',
    external: ['better-sqlite3', 'sharp'],
    define: { ...common.define, OPBENCH_RELEASE_KEY: JSON.stringify(releaseKey()) },
    banner: { js: REQUIRE },
  });
}

/** @throws {Error} if the file is not a public key. */
function releaseKey() {
  const path = join(ROOT, RELEASE_KEY);
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8');
  readPublicKey(text);
  return text;
}

/** The companion site's script, styles and fonts, with names that change with their content. */
async function buildSatellite(esbuild) {
  const outdir = 'dist/client/satellite';
  rmSync(join(ROOT, outdir), { recursive: true, force: true });
  const { metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    bundle: true,
    entryPoints: ['src/satellite/main.ts', 'src/satellite/satellite.css'],
    outdir,
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file' },
    platform: 'browser',
    format: 'esm',
    splitting: true,
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  const sent = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  if (sent.some((path) => path.includes('node_modules/zod/'))) {
    throw new Error('The companion site would send zod to browsers. Import only types there');
  }
}

/** Writes `NAME.br` and `NAME.gz` next to the files that browsers load, so that the server need not compress them. */
function compressClient() {
  const folder = join(ROOT, 'dist', 'client');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSED.has(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(bytes));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** @throws {Error} if opbench, which must run anywhere, imports more than Node's built-in modules. */
function refuseForeignImports(metafile) {
  const builtins = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
  builtins.add('node:sqlite');
  for (const { imports } of Object.values(metafile.outputs)) {
    const foreign = imports.filter(({ path, external }) => external && !builtins.has(path));
    if (foreign.length > 0)
      throw new Error(`opbench must not import ${foreign[0].path}, which is not built into Node`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await ensureNode();
  await build();
}
