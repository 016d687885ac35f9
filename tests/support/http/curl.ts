/** Parses a curl command line and sends its request, even on computers without curl. */

export interface CurlSetting {
  /** Shell variables. */
  variables: Readonly<Record<string, string>>;
  /** The content of files by name. Binary files have a character for each byte. */
  files: Readonly<Record<string, string>>;
}

/** Runs a command as the API reference prints it. */
export async function curl(line: string, setting: CurlSetting): Promise<Response> {
  const { request, header, file, form, addresses } = readCommand(wordsOf(line, setting.variables));
  const [url = '', another] = addresses;
  if (another !== undefined) throw new Error(`More than one address: ${line}`);
  const headers = new Headers(header.map((field) => splitField(field)));
  const [argument] = file;
  const body = argument === undefined ? null : contentOf(argument, setting.files);
  const fields = form.length > 0 ? formOf(form, setting.files) : null;
  return fetch(url, { method: request[0] ?? 'GET', headers, body: fields ?? body });
}

/** The command's options, each with all its values, and the remaining arguments. */
function readCommand([program, ...words]: string[]) {
  const command = { request: [], header: [], file: [], form: [], addresses: [] } as Record<
    'addresses' | 'file' | 'form' | 'header' | 'request',
    string[]
  >;
  const options: Record<string, string[]> = {
    '--request': command.request,
    '--header': command.header,
    '--data-binary': command.file,
    '--form': command.form,
  };
  if (program !== 'curl') throw new Error(`Not curl: ${program}`);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const values = options[word];
    if (!values && word.startsWith('-')) throw new Error(`Not understood: ${word}`);
    if (values) at += 1;
    (values ?? command.addresses).push(words[at] ?? '');
  }
  return command;
}

/** Splits as a shell does: single quotes preserve everything, double quotes everything except variables. */
function wordsOf(line: string, variables: Readonly<Record<string, string>>): string[] {
  const filled = (text: string) =>
    text.replaceAll(/\$(\w+)/g, (_, name: string) => {
      const value = variables[name];
      if (value === undefined) throw new Error(`The variable ${name} is not set`);
      return value;
    });
  const words = line.replaceAll('\\\n', '').match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? [];
  return words.map((word) => {
    if (word.startsWith("'")) return word.slice(1, -1);
    return filled(word.startsWith('"') ? word.slice(1, -1) : word);
  });
}

function splitField(field: string): [name: string, value: string] {
  const [name = '', value = ''] = field.split(/:(.*)/s);
  return [name, value.trim()];
}

/** A form of `name=@file` fields. */
function formOf(fields: readonly string[], files: CurlSetting['files']): FormData {
  const form = new FormData();
  for (const field of fields) {
    const [name = '', argument = ''] = field.split('=');
    form.append(name, new Blob([Buffer.from(contentOf(argument, files), 'latin1')]), argument);
  }
  return form;
}

function contentOf(argument: string, files: Readonly<Record<string, string>>): string {
  const content = files[argument.replace(/^@/, '')];
  if (content === undefined) throw new Error(`The file ${argument} is not given`);
  return content;
}
