import node from '@astrojs/node';
import { defineConfig, passthroughImageService } from 'astro/config';

/** The node adapter, started by our own entry, which shares one module graph with the pages. */
function nodeWithOwnEntry() {
  const adapter = node({ mode: 'middleware' });
  const done = adapter.hooks['astro:config:done'];
  const serverEntrypoint = new URL('./src/server/main.ts', import.meta.url);
  adapter.hooks['astro:config:done'] = (options) =>
    done({
      ...options,
      setAdapter: (settings) => options.setAdapter({ ...settings, serverEntrypoint }),
    });
  return adapter;
}

// Everything is bundled but what holds native code.
const bundled = { noExternal: true, external: ['better-sqlite3', 'sharp'] };

export default defineConfig({
  output: 'server',
  adapter: nodeWithOwnEntry(),
  session: false,
  // The pages need no image service, and its public endpoint would be anybody's to keep busy.
  image: { service: passthroughImageService() },
  fetchFile: null,
  trailingSlash: 'never',
  build: { inlineStylesheets: 'never' },
  compressHTML: true,
  security: { checkOrigin: false },
  devToolbar: { enabled: false },
  vite: {
    build: { assetsInlineLimit: 0 },
    environments: { ssr: { resolve: bundled } },
    ssr: bundled,
  },
});
