import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { repairState, rotateStateCopies, stateFileOf } from './chainState.ts';

let dataDir = '';
let state = '';

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'crossbook-chain-state-'));
  state = stateFileOf(dataDir);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const read = (file: string) => readFileSync(file, 'utf8');

async function untilCopied(text: string): Promise<void> {
  await vi.waitFor(() => expect(read(`${state}.copy`)).toBe(text), { timeout: 5_000 });
}

describe("the chain's state", () => {
  test('given a kill during a write, is the last complete one', async () => {
    const end = rotateStateCopies(dataDir);
    writeFileSync(state, '{"block":1}');
    await untilCopied('{"block":1}');
    writeFileSync(state, '{"block":2222}');
    await untilCopied('{"block":2222}');
    end();
    writeFileSync(state, '');
    repairState(dataDir);
    expect(read(state)).toBe('{"block":2222}');
  });

  test('given a half-written newest copy, is the copy before', () => {
    writeFileSync(state, '{"block":3,');
    writeFileSync(`${state}.copy`, '{"block":3,"accounts":{}');
    writeFileSync(`${state}.older`, '{"block":2}');
    repairState(dataDir);
    expect(read(state)).toBe('{"block":2}');
  });

  test('given a complete file or no complete copy, stays unchanged', () => {
    writeFileSync(`${state}.copy`, '{"block":1}');
    writeFileSync(state, '{"block":2}');
    repairState(dataDir);
    expect(read(state)).toBe('{"block":2}');
    writeFileSync(`${state}.copy`, '{"block"');
    writeFileSync(state, '{"bl');
    repairState(dataDir);
    expect(read(state)).toBe('{"bl');
  });

  test('given a kill within the first second, starts empty', () => {
    writeFileSync(state, '');
    repairState(dataDir);
    expect(() => read(state)).toThrow('ENOENT');
  });
});
