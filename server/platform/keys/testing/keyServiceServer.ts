import { constants, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Hex } from 'viem';
import { privateKeyToAccount, sign as signDigest } from 'viem/accounts';

/** How the server misbehaves, for as many questions as the number says. */
export type KeyServiceFaults = {
  /** Signs and never responds. */
  silent?: number;
  /** Answers 503 without signing. */
  busy?: number;
  /** Signs with an unknown key. */
  wrongKey?: number;
};

export type KeyServiceServer = {
  url: string;
  token: string;
  faults: KeyServiceFaults;
  /** How often each key was used. */
  signatures: ReadonlyMap<string, number>;
  close(): Promise<void>;
};

/** What a key service can be given to hold: a key of a chain, or any other private key. */
export type HeldKey = { chainKey: Hex } | { privateKey: KeyObject };

/** SEC 2, 2.4.1. */
const SECP256K1_ORDER = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n;
/** SubjectPublicKeyInfo of an uncompressed secp256k1 point, up to the point (RFC 5480). */
const SECP256K1_SPKI = '3056301006072a8648ce3d020106052b8104000a034200';

/**
 * A key service in this process: holds keys and signs with them, in the protocol of AWS KMS. Like
 * the real one it returns either of the two equivalent signatures, in DER.
 */
export async function startKeyService(
  keys: Readonly<Record<string, HeldKey>>,
  options: { token: string; port?: number },
): Promise<KeyServiceServer> {
  const faults: KeyServiceFaults = {};
  const signatures = new Map<string, number>();
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    reply(request, { keys, faults, signatures, token: options.token })
      .then((said) => {
        if (said === 'nothing') return;
        response.writeHead(said.status, { 'content-type': 'application/x-amz-json-1.1' });
        response.end(JSON.stringify(said.body));
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    token: options.token,
    faults,
    signatures,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const response of open) response.destroy();
        server.closeAllConnections();
      }),
  };
}

type Holding = {
  keys: Readonly<Record<string, HeldKey>>;
  faults: KeyServiceFaults;
  signatures: Map<string, number>;
  token: string;
};

type Said = { status: number; body: object } | 'nothing';

async function reply(request: IncomingMessage, held: Holding): Promise<Said> {
  const question = JSON.parse(await readText(request)) as Record<string, string>;
  if (request.headers.authorization !== `Bearer ${held.token}`) {
    return refuse('AccessDeniedException', 'not allowed');
  }
  const keyId = question.KeyId ?? '';
  const key = held.keys[keyId];
  if (!key) return refuse('NotFoundException', `no key ${keyId}`);
  if (use(held.faults, 'busy')) return { status: 503, body: {} };
  if (request.headers['x-amz-target'] === 'TrentService.GetPublicKey') {
    return { status: 200, body: { KeyId: keyId, PublicKey: publicKeyOf(key) } };
  }
  held.signatures.set(keyId, (held.signatures.get(keyId) ?? 0) + 1);
  const signature = await signWith(use(held.faults, 'wrongKey') ? foreignKey(key) : key, question);
  if (!signature) return refuse('UnsupportedOperationException', 'not with this key');
  if (use(held.faults, 'silent')) return 'nothing';
  return { status: 200, body: { KeyId: keyId, Signature: signature.toString('base64') } };
}

function refuse(type: string, message: string): Said {
  return { status: 400, body: { __type: type, message } };
}

function use(faults: KeyServiceFaults, fault: keyof KeyServiceFaults): boolean {
  const left = faults[fault] ?? 0;
  if (left > 0) faults[fault] = left - 1;
  return left > 0;
}

function publicKeyOf(key: HeldKey): string {
  if ('chainKey' in key) {
    const point = privateKeyToAccount(key.chainKey).publicKey.slice(2);
    return Buffer.from(`${SECP256K1_SPKI}${point}`, 'hex').toString('base64');
  }
  return createPublicKey(key.privateKey).export({ format: 'der', type: 'spki' }).toString('base64');
}

function foreignKey(key: HeldKey): HeldKey {
  if ('chainKey' in key) return { chainKey: `0x${'5a'.repeat(32)}` };
  return { privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey };
}

async function signWith(
  key: HeldKey,
  { Message = '', MessageType, SigningAlgorithm }: Record<string, string>,
): Promise<Buffer | undefined> {
  const bytes = Buffer.from(Message, 'base64');
  if ('chainKey' in key) {
    if (MessageType !== 'DIGEST' || SigningAlgorithm !== 'ECDSA_SHA_256') return undefined;
    const hash: Hex = `0x${bytes.toString('hex')}`;
    const { r, s } = await signDigest({ hash, privateKey: key.chainKey });
    // Half of the time the one that Ethereum refuses, as a service does that knows nothing of it.
    const isHigh = (bytes[0] ?? 0) % 2 === 0;
    return der(BigInt(r), isHigh ? SECP256K1_ORDER - BigInt(s) : BigInt(s));
  }
  if (MessageType !== 'RAW') return undefined;
  if (SigningAlgorithm === 'ECDSA_SHA_256') return sign('sha256', bytes, key.privateKey);
  return sign('sha256', bytes, {
    key: key.privateKey,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  });
}

function der(r: bigint, s: bigint): Buffer {
  const integer = (value: bigint) => {
    const hex = value.toString(16);
    const even = hex.length % 2 === 0 ? hex : `0${hex}`;
    const bytes = Buffer.from(
      Number.parseInt(even.slice(0, 2), 16) >= 0x80 ? `00${even}` : even,
      'hex',
    );
    return Buffer.concat([Buffer.from([0x02, bytes.length]), bytes]);
  };
  const content = Buffer.concat([integer(r), integer(s)]);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
