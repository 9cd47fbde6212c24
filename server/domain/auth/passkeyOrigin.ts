import {
  decodeAbiParameters,
  type Hex,
  isErc6492Signature,
  parseErc6492Signature,
  size,
  slice,
} from 'viem';
import { ASSERTION_PARAMETERS } from '#lib/passkey/passkeyWallet.ts';

const KEY_BYTES = 64;
/** Without it the chain refuses an assertion. */
const KIND = '"type":"webauthn.get"';

/**
 * Whether a passkey signed for another site, or within a frame of one. The chain does not look at
 * that, and browsers keep sites apart only by host: a site beside ours under the same domain could
 * ask for our passkeys.
 */
export function isOfForeignSite(signature: Hex, publicBaseUrl: string): boolean {
  const text = clientDataIn(signature);
  if (text === undefined) return false;
  try {
    const { origin, crossOrigin } = JSON.parse(text) as { origin?: unknown; crossOrigin?: unknown };
    return origin !== new URL(publicBaseUrl).origin || (crossOrigin ?? false) !== false;
  } catch {
    return true;
  }
}

/** What the browser signed of an assertion; undefined for any other signature. */
function clientDataIn(given: Hex): string | undefined {
  try {
    const signature = isErc6492Signature(given) ? parseErc6492Signature(given).signature : given;
    if (size(signature) <= KEY_BYTES) return undefined;
    const text = decodeAbiParameters(ASSERTION_PARAMETERS, slice(signature, KEY_BYTES))[5];
    return text.includes(KIND) ? text : undefined;
  } catch {
    return undefined;
  }
}
