import type { ConfigData } from 'html-validate';

/** What every page's HTML is held to, as it is sent. */
export const HTML_RULES: ConfigData = {
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // In titles stand names and searches, which are as long as people made them.
    'long-title': 'off',
    // Where a template leaves spaces says nothing to anybody.
    'no-trailing-whitespace': 'off',
    // What comes from the own origin is as trusted as the page itself.
    'require-sri': ['error', { target: 'crossorigin' }],
  },
};
