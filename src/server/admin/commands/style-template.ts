/** `board.css` as a keeper gets it. */
export function styleTemplate(): string {
  return TEMPLATE;
}

const TEMPLATE = `/*
 * What changes the look of your board beyond the colours of board.toml. The server reads this file at its
 * start (at most 64 kB) and every page loads it.
 *
 * All styles of Opbench lie in cascade layers, so a rule here wins without !important, however the rule is
 * written that it takes the place of. The properties below stay from version to version; names of classes
 * and the order of elements may change.
 *
 * Nothing can be loaded from elsewhere: the board's Content-Security-Policy keeps browsers from following
 * @import and url() to another site. Typefaces are those that readers have installed.
 *
 *   --surface        the page                      --surface-sunk   what lies a little deeper: code, notes
 *   --ink            text                          --ink-soft       text that matters less
 *   --line           lines between rows            --line-strong    lines around fields, axes
 *   --accent         the one colour: links, marks  --warn           what went wrong, what cannot be undone
 *   --text           the typeface of text          --code           the typeface of code
 *   --h1, --h2, --body, --table, --small           sizes of text
 *   --s1 to --s16                                  distances, from small to large
 *   --measure                                      the longest line of text
 *
 * A colour that is set here holds in the light and the dark scheme alike, and nobody checks whether it can
 * be read: colours are better set in board.toml.
 */

/*
:root {
  --text: Georgia, serif;
}

h1 {
  font-style: italic;
}
*/
`;
