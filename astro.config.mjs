import { fileURLToPath } from 'node:url';
import node from '@astrojs/node';
import { defineConfig, passthroughImageService } from 'astro/config';
import { ROUTES } from './src/core/contract/routes.ts';

/** The node adapter with the board's own entry point, which shares one module graph with the pages. */
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

/** Adds a route for each path of the API's operations, all answered by one file. */
const operations = {
  name: 'operations',
  hooks: {
    'astro:config:setup': ({ config, injectRoute }) => {
      // Texts are shown as they are written: `--flag` keeps its hyphens.
      config.markdown.processor.options.features.smartPunctuation = false;
      for (const path of new Set(ROUTES.map((route) => route.path))) {
        const pattern = path.replaceAll('{', '[').replaceAll('}', ']');
        injectRoute({ pattern, entrypoint: './src/pages/_operations.ts', prerender: false });
      }
    },
  },
};

const LAYERS = 'tokens, base, layout, components';

/**
 * Puts the styles of components in the last of the board's cascade layers. An admin's own style sheet is in no layer,
 * so it overrides all of them. Each file states the order of layers, because a page may load any file first.
 */
const layersOfStyles = {
  postcssPlugin: 'layers-of-styles',
  Once(root, { AtRule, result }) {
    if (!result.opts.from?.includes('.astro') || isLayered(root)) return;
    const components = new AtRule({ name: 'layer', params: 'components', nodes: root.nodes });
    root.removeAll();
    root.append(new AtRule({ name: 'layer', params: LAYERS }), components);
  },
};

/** PostCSS sees each component's style twice: in its original form, and with scoped names. */
function isLayered({ first }) {
  return first?.name === 'layer' && first.params === LAYERS;
}

/** The folder of the checkout as a URL, and as Vite writes paths, also on Windows. */
const FOLDER = new URL('.', import.meta.url);
const PATH = fileURLToPath(FOLDER).replaceAll('\\', '/');

/**
 * Keeps the folder of the checkout out of the build, so that it does not depend on where it was built. Without the
 * quote, a short name such as `/srv/` would also match other text.
 */
const withoutFolder = {
  name: 'without-folder',
  renderChunk: (code) => code.replaceAll(`"${PATH}`, '"/').replaceAll(FOLDER.href, 'file:///'),
};

// Everything is bundled except packages with native code.
const bundled = { noExternal: true, external: ['better-sqlite3', 'sharp'] };

export default defineConfig({
  output: 'server',
  adapter: nodeWithOwnEntry(),
  integrations: [operations],
  session: false,
  // The pages need no image service, and anyone could overload its public endpoint.
  image: { service: passthroughImageService() },
  // Highlighting needs inline styles, which the Content-Security-Policy forbids.
  markdown: { syntaxHighlight: false },
  fetchFile: null,
  trailingSlash: 'never',
  build: { inlineStylesheets: 'never' },
  compressHTML: true,
  security: { checkOrigin: false },
  devToolbar: { enabled: false },
  vite: {
    plugins: [withoutFolder],
    css: { postcss: { plugins: [layersOfStyles] } },
    // One file with the styles of all pages is smaller and loads sooner than several files for each page.
    build: { assetsInlineLimit: 0, cssCodeSplit: false },
    environments: { ssr: { resolve: bundled } },
    ssr: bundled,
  },
});
