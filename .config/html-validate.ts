import type { ConfigData } from 'html-validate';

/** The rules for the HTML of every page, as it is sent. */
export const HTML_RULES: ConfigData = {
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // Titles contain names and searches of any length.
    'long-title': 'off',
    // Spaces left by templates are harmless.
    'no-trailing-whitespace': 'off',
    // Checkboxes of a group share a name.
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'button', 'reset', 'submit'] }],
    // Files from the same origin are as trusted as the page itself.
    'require-sri': ['error', { target: 'crossorigin' }],
  },
};
