import { packTar } from 'modern-tar';

/** A tar of files `{path, mode, bytes}` that depends only on them: no owner names, and one time for all. */
export async function tarOf(files, { prefix = '', mtime = new Date(0) } = {}) {
  const entries = files.map(({ path, mode, bytes, uid = 0 }) => {
    const isFolder = path.endsWith('/');
    const header = {
      name: prefix + path,
      type: isFolder ? 'directory' : 'file',
      size: isFolder ? 0 : bytes.length,
      mode,
      mtime,
      uid,
      gid: uid,
    };
    return isFolder ? { header } : { header, body: bytes };
  });
  return Buffer.from(await packTar(entries));
}
