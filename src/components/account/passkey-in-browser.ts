/** Asks the browser for a passkey. Runs in browsers. */

/** A passkey could not be created or used. The message is for the visitor. */
class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
}

/** Enables a form whose buttons need a passkey. Without the script, the board explains what is missing. */
export function enablePasskeyForm(form: HTMLFormElement): void {
  const answer = form.querySelector<HTMLInputElement>('[name="credential"]');
  const status = form.querySelector('[role="status"]');
  let state: 'answered' | 'asking' | 'idle' = 'idle';
  form.addEventListener('submit', (event) => {
    if (state === 'answered' || !answer || !(event.submitter instanceof HTMLButtonElement)) return;
    event.preventDefault();
    if (state === 'asking') return;
    state = 'asking';
    const button = event.submitter;
    const show = (text: string) => status && (status.textContent = text);
    show('Follow the instructions of your browser.');
    passkeyFor(form.dataset['passkey'] ?? '', button.value).then(
      (credential) => {
        answer.value = credential;
        state = 'answered';
        form.requestSubmit(button);
      },
      (error: unknown) => {
        state = 'idle';
        show(messageOf(error));
      },
    );
  });
  // A browser that restores the page from its memory must ask for a new passkey.
  window.addEventListener('pageshow', () => (state = 'idle'));
}

/** Requests options from the board, and returns the browser's answer as JSON. */
async function passkeyFor(address: string, action: string): Promise<string> {
  if (!('parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {}))) {
    throw new PasskeyError(
      'This browser does not support passkeys. Update it, or use another one.',
    );
  }
  const body = new URLSearchParams({ action });
  const response = await fetch(address, { method: 'POST', body, redirect: 'error' });
  const options: unknown = await response.json();
  if (!response.ok) throw new PasskeyError(`${(options as { detail: string }).detail}.`);
  return JSON.stringify(await askBrowser(options as object));
}

function askBrowser(options: object): Promise<Credential | null> {
  if ('user' in options) {
    const asked = options as PublicKeyCredentialCreationOptionsJSON;
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked);
    return navigator.credentials.create({ publicKey });
  }
  const asked = options as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked);
  return navigator.credentials.get({ publicKey });
}

function messageOf(error: unknown): string {
  const { name, message } = error as Error;
  if (error instanceof PasskeyError) return message;
  if (name === 'NotAllowedError') return 'No passkey was chosen, or it took too long. Try again.';
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (error instanceof TypeError) return 'The board did not answer. Check your connection.';
  return 'The browser could not use a passkey. Try again, or use another sign-in method.';
}

/** What a password manager can learn about an account's passkeys, so that it hides removed ones. */
export interface AcceptedPasskeys {
  rpId: string;
  userId: string;
  name: string;
  ids: readonly string[];
}

/** Methods that not all browsers have. */
interface SignalingCredential {
  signalAllAcceptedCredentials?: (accepted: object) => Promise<void>;
  signalCurrentUserDetails?: (details: object) => Promise<void>;
}

/** @see {@link https://www.w3.org/TR/webauthn-3/#sctn-signal-methods | Web Authentication, signal methods} */
export async function signalPasskeys({ rpId, userId, name, ids }: AcceptedPasskeys): Promise<void> {
  const known = (window.PublicKeyCredential ?? {}) as SignalingCredential;
  const account = { rpId, userId };
  await known.signalAllAcceptedCredentials?.({ ...account, allAcceptedCredentialIds: ids });
  await known.signalCurrentUserDetails?.({ ...account, name, displayName: name });
}
