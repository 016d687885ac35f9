import { describe, expect, test } from 'vitest';
import { setAvatar } from '#core/contract/profile.ts';
import { readForm } from '#server/http/request/body.ts';
import { answerForm } from '#server/http/request/forms.ts';
import { testContext } from '#tests/support/board/context.ts';
import { anUpload } from '#tests/support/http/http-layer.ts';
import { pictureOf } from '#tests/support/pages/pictures.ts';

function aRequest(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request('http://127.0.0.1/', { method: 'POST', body, headers });
}

function aForm(...fields: [string, Blob | string][]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

describe('readForm()', () => {
  test('represents each byte of a file as a character', async () => {
    const picture = await pictureOf('png');

    const { file = '' } = await readForm(aRequest(aForm(['file', new Blob([picture])])), setAvatar);
    expect(Buffer.from(file, 'latin1').equals(picture)).toBe(true);
  });

  test.each([
    ['unsupported_media_type', aRequest('{}', { 'Content-Type': 'application/json' })],
    ['unsupported_media_type', aRequest(new URLSearchParams({ file: 'x' }))],
    ['validation_failed', aRequest('x', { 'Content-Type': 'multipart/form-data' })],
    [
      'validation_failed',
      aRequest('--a\r\n', { 'Content-Type': 'multipart/form-data; boundary=a' }),
    ],
    ['validation_failed', aRequest(aForm(['file', 'a'], ['file', 'b']))],
    ['payload_too_large', aRequest(aForm(['file', 'x'.repeat(setAvatar.bodyLimitBytes)]))],
  ])('throws %s', async (code, request) => {
    await expect(readForm(request, setAvatar)).rejects.toMatchObject({ code });
  });

  test('takes no names from the object prototype', async () => {
    const form = aForm(['__proto__', 'x'], ['constructor', 'y']);

    const fields = await readForm(aRequest(form), setAvatar);
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor']);
  });
});

describe('answerForm()', () => {
  test.each([
    ['validation_failed', 'multipart/form-data; boundary=a', 422, '--a\r\n'],
    ['validation_failed', 'application/x-www-form-urlencoded', 422, 'a&'.repeat(200)],
    ['unsupported_media_type', 'text/plain', 415, '--a\r\n'],
  ])('responds with %s to a body of %s that is not a form', async (code, type, status, body) => {
    const ctx = testContext();
    const request = aRequest(body, { 'Content-Type': type, Origin: ctx.config.baseUrl });
    const locals = {
      ctx,
      client: '',
      peer: '',
      requestId: '',
      apiKey: null,
      upload: anUpload(),
      refusedBody: null,
    };
    const page = { request, locals, response: { headers: new Headers() } };

    const { refusal } = await answerForm(page, () => null);
    expect(refusal).toMatchObject({ code, status });
  });
});
