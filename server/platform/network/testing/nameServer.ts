import { createSocket } from 'node:dgram';

/** A name server of one's own on this machine. */
export type NameServer = {
  /** As `DNS_SERVERS` takes it. */
  address: string;
  /** The requested names. */
  asked: Set<string>;
  close(): Promise<void>;
};

const TYPE_A = 1;
const NO_SUCH_NAME = 3;
const HEADER_BYTES = 12;

/**
 * Starts a name server that knows the IPv4 addresses of `names`. It never responds to names that
 * end in `.hole.example`, and responds "no such name" to all others.
 */
export async function startNameServer(names: Record<string, string[]> = {}): Promise<NameServer> {
  const asked = new Set<string>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    asked.add(name);
    if (name.endsWith('.hole.example')) return;
    const known = names[name];
    const addresses = type === TYPE_A ? (known ?? []) : [];
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt16BE(query.readUInt16BE(0), 0);
    header.writeUInt16BE(0x8180 | (known ? 0 : NO_SUCH_NAME), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((address) =>
      Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...octetsOf(address)]),
    );
    const question = query.subarray(HEADER_BYTES, end);
    socket.send(Buffer.concat([header, question, ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  return {
    address: `127.0.0.1:${port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}

const octetsOf = (address: string) => address.split('.').map(Number);

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}
