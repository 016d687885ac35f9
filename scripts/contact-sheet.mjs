// One page on which pictures of the same view stand side by side.

/**
 * @param pictures Of each its `name`, `width`, `scheme` and `file` beside the page.
 * @param order The widths and schemes, in the order in which they stand.
 */
export function contactSheet(pictures, { widths, schemes }) {
  const names = [...new Set(pictures.map(({ name }) => name))];
  const order = schemes.flatMap((scheme) => widths.map((width) => ({ scheme, width })));
  const rows = names.map((name) => {
    const shown = order.flatMap(({ scheme, width }) => {
      return pictures.filter((one) => {
        return one.name === name && one.scheme === scheme && one.width === width;
      });
    });
    return `<h2 id="${name}">${name}</h2>\n<div>${shown.map(figureOf).join('\n')}</div>`;
  });
  const contents = names.map((name) => `<a href="#${name}">${name}</a>`).join(' ');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Pictures of ${names.length} views</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 24px; background: #888; }
div { display: flex; gap: 16px; align-items: start; overflow-x: auto; }
figure { margin: 0; }
img { display: block; max-height: 900px; border: 1px solid #444; }
</style>
<nav>${contents}</nav>
${rows.join('\n')}
`;
}

function figureOf({ file, scheme, width }) {
  const text = `${width} px, ${scheme}`;
  return `<figure><figcaption>${text}</figcaption><a href="${file}"><img src="${file}" loading="lazy" alt="${text}"></a></figure>`;
}
