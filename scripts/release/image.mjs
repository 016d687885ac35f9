// A container image with nothing but the executable file and the system libraries that it loads.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ALLOCATOR } from '../../src/server/process/memory-settings.ts';
import { unpackedFiles } from './executable.mjs';
import { NAME, sha256, version } from './files.mjs';
import { tarOf } from './tar.mjs';

/** The user of earlier images, so that their volumes stay writable. */
const USER = 1000;
const PROGRAM = `usr/local/bin/${NAME}`;
const TAG = `${NAME}:${version}`;
const SECOND = 1e9;
const OCI = 'application/vnd.oci.image';

/**
 * Writes an image as a tar that `docker load`, `podman load` and `skopeo` read: an OCI layout, with the older
 * manifest.json of Docker.
 *
 * @param executable The path of the executable file for this machine's platform.
 * @see {@link https://github.com/opencontainers/image-spec/blob/main/image-layout.md | OCI image layout}
 */
export async function writeImage(path, { executable, platform, created }) {
  const layer = await tarOf(await layerFiles(executable, platform), { mtime: created });
  const packed = gzipSync(layer);
  const config = Buffer.from(JSON.stringify(configOf({ platform, created, layer })));
  const manifest = Buffer.from(JSON.stringify(manifestOf(config, packed)));
  const at = (bytes) => `blobs/sha256/${sha256(bytes)}`;
  const docker = [{ Config: at(config), RepoTags: [TAG], Layers: [at(packed)] }];
  const index = {
    schemaVersion: 2,
    mediaType: `${OCI}.index.v1+json`,
    manifests: [
      {
        ...blob(`${OCI}.manifest.v1+json`, manifest),
        annotations: {
          'io.containerd.image.name': `docker.io/library/${TAG}`,
          'org.opencontainers.image.ref.name': TAG,
        },
      },
    ],
  };
  const file = (name, bytes) => ({ path: name, mode: 0o644, bytes: Buffer.from(bytes) });
  const files = [
    ...[config, packed, manifest].map((bytes) => file(at(bytes), bytes)),
    file('index.json', JSON.stringify(index)),
    file('manifest.json', JSON.stringify(docker)),
    file('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })),
  ];
  writeFileSync(path, await tarOf(files, { mtime: created }));
}

function blob(mediaType, bytes) {
  return { mediaType, size: bytes.length, digest: `sha256:${sha256(bytes)}` };
}

function manifestOf(config, packed) {
  return {
    schemaVersion: 2,
    mediaType: `${OCI}.manifest.v1+json`,
    config: blob(`${OCI}.config.v1+json`, config),
    layers: [blob(`${OCI}.layer.v1.tar+gzip`, packed)],
  };
}

function configOf({ platform, created, layer }) {
  const [os, cpu] = platform.split('-');
  return {
    created: created.toISOString(),
    architecture: cpu === 'x64' ? 'amd64' : cpu,
    os,
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { '4321/tcp': {} },
      Env: [
        'PATH=/usr/local/bin',
        'DATA_DIR=/data',
        'HOST=0.0.0.0',
        'PORT=4321',
        'OPBENCH_IMAGE=1',
        ...Object.entries(ALLOCATOR).map((setting) => setting.join('=')),
      ],
      Entrypoint: [`/${PROGRAM}`],
      Cmd: ['serve'],
      Volumes: { '/data': {} },
      WorkingDir: '/data',
      StopSignal: 'SIGTERM',
      Healthcheck: {
        Test: ['CMD', `/${PROGRAM}`, 'health'],
        Interval: 30 * SECOND,
        Timeout: 10 * SECOND,
        StartPeriod: 60 * SECOND,
        Retries: 3,
      },
      Labels: {
        'org.opencontainers.image.title': 'Opbench',
        'org.opencontainers.image.description':
          'A self-hosted leaderboard for people who work with AI assistants, ranked from signed daily token counts',
        'org.opencontainers.image.licenses': 'MIT',
        'org.opencontainers.image.version': version,
      },
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] },
    history: [{ created: created.toISOString(), created_by: 'npm run release' }],
  };
}

/** The root folder: everything belongs to root, except the board's data. */
async function layerFiles(executable, platform) {
  const { key, native, files } = await unpackedFiles(platform);
  const text = (path, lines) => ({
    path,
    mode: 0o644,
    bytes: Buffer.from(`${lines.join('\n')}\n`),
  });
  const unpacked = files.map((file) => ({
    ...file,
    path: `var/cache/${NAME}/${key}/${file.path}`,
  }));
  return withFolders([
    { path: PROGRAM, mode: 0o755, bytes: readFileSync(executable) },
    ...unpacked,
    ...systemLibraries(
      executable,
      files.filter(({ path }) => /\.node$|\.so/.test(path)),
      native,
    ),
    text('etc/passwd', [
      'root:x:0:0:root:/:/sbin/nologin',
      `opbench:x:${USER}:${USER}::/data:/sbin/nologin`,
    ]),
    text('etc/group', ['root:x:0:', `opbench:x:${USER}:`]),
    { path: 'tmp/', mode: 0o1777 },
    { path: 'data/', mode: 0o700, uid: USER },
  ]);
}

/** Adds each folder before what is in it. */
function withFolders(files) {
  const folders = new Map();
  for (const { path } of files) {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      folders.set(`${folder}/`, { path: `${folder}/`, mode: 0o755 });
    }
  }
  for (const file of files) if (file.path.endsWith('/')) folders.set(file.path, file);
  const all = [...folders.values(), ...files.filter(({ path }) => !path.endsWith('/'))];
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The libraries of this machine that the executable and our native libraries load, with their licenses. */
function systemLibraries(executable, natives) {
  const folder = mkdtempSync(join(tmpdir(), `${NAME}-`));
  try {
    const paths = natives.map(({ path, bytes }, index) => {
      const copy = join(folder, `${index}-${path.split('/').at(-1)}`);
      writeFileSync(copy, bytes);
      return copy;
    });
    const found = new Set([executable, ...paths].flatMap(librariesOf));
    const licenses = ['libc6', 'libgcc-s1', 'libstdc++6']
      .map((name) => `/usr/share/doc/${name}/copyright`)
      .filter((path) => existsSync(path));
    return [...found, ...licenses].map((path) => ({
      path: path.slice(1),
      mode: path.includes('/ld-') ? 0o755 : 0o644,
      bytes: readFileSync(realpathSync(path)),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function librariesOf(path) {
  const { status, stdout, error } = spawnSync('ldd', [path], { encoding: 'utf8' });
  if (error || status !== 0)
    throw new Error(`ldd cannot read ${path}: ${error?.message ?? stdout}`);
  return [...stdout.matchAll(/(?:=> |^\s*)(\/(?:usr\/)?lib\S*) \(/gm)].map(([, found]) => found);
}
