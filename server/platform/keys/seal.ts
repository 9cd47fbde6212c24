import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts text for the database; the keys are base64, the first one encrypts. */
export type Seal = {
  /** `about` names what the text belongs to: sealed text is of no use anywhere else. */
  seal: (text: string, about: string) => string;
  /** @throws {Error} for another key, another `about`, or changed text */
  open: (sealed: string, about: string) => string;
};

/** AES-256-GCM. */
export function createSeal(keys: readonly string[]): Seal {
  const all = keys.map((key) => {
    const bytes = Buffer.from(key, 'base64');
    return { bytes, id: createHash('sha256').update(bytes).digest('hex').slice(0, 8) };
  });
  return {
    seal(text, about) {
      const [key] = all;
      if (!key) throw new Error('there is no key to encrypt with');
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(Buffer.from(about));
      const parts = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `${key.id}.${Buffer.concat(parts).toString('base64')}`;
    },
    open(sealed, about) {
      const [id, data = ''] = sealed.split('.');
      const key = all.find((one) => one.id === id);
      if (!key) throw new Error(`there is no key ${id} to decrypt with`);
      const bytes = Buffer.from(data, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, IV_BYTES));
      decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}
