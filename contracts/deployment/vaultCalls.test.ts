import { decodeFunctionData, keccak256, toBytes, zeroHash } from 'viem';
import { describe, expect, test } from 'vitest';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { marketKeyOf } from '#lib/outcomeToken.ts';
import {
  acceptTreasuryCall,
  capsCall,
  finalizeCall,
  grantRoleCall,
  pauseCall,
  proposeCall,
  registerCall,
  revokeRoleCall,
  unpauseCall,
  type VaultCall,
  vetoCall,
} from './vaultCalls.ts';

const HOLDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const decoded = ({ to, data }: VaultCall) =>
  decodeFunctionData({ abi: [...(to === 'vault' ? swapVaultAbi : settlementAbi)], data });

describe('a call that people send to the vault', () => {
  test('encodes the function of its name', () => {
    expect(decoded(pauseCall()).functionName).toBe('pause');
    expect(decoded(unpauseCall()).functionName).toBe('unpause');
    expect(decoded(acceptTreasuryCall()).functionName).toBe('acceptTreasury');
    expect(decoded(vetoCall('KXTEST'))).toEqual({
      functionName: 'vetoSettlement',
      args: [marketKeyOf('KXTEST')],
    });
    expect(decoded(capsCall('100', '50.5', '7'))).toEqual({
      functionName: 'setBuckets',
      args: [100_000_000n, 50_500_000n, 7_000_000n],
    });
    expect(capsCall('1', '1', '1').senders).toEqual(['ADMIN']);
    expect(decoded(registerCall('KXTEST'))).toEqual({
      functionName: 'registerMarket',
      args: ['KXTEST'],
    });
    expect(decoded(finalizeCall('KXTEST')).functionName).toBe('finalizeSettlement');
  });

  test('names roles as the contract does', () => {
    const operator = keccak256(toBytes('OPERATOR'));
    expect(decoded(revokeRoleCall('OPERATOR', HOLDER))).toEqual({
      functionName: 'revokeRole',
      args: [operator, HOLDER],
    });
    expect(decoded(grantRoleCall('ADMIN', HOLDER)).args).toEqual([zeroHash, HOLDER]);
  });

  test('proposes payouts that add up to one dollar, and refuses more', () => {
    const key = marketKeyOf('KXTEST');
    expect(decoded(proposeCall('KXTEST', '0.37')).args).toEqual([key, 370_000n, 630_000n]);
    expect(decoded(proposeCall('KXTEST', '1')).args).toEqual([key, 1_000_000n, 0n]);
    for (const wrong of ['1.01', '-0.1', '0.0000001', 'x']) {
      expect(() => proposeCall('KXTEST', wrong), wrong).toThrow();
    }
  });

  test('names the roles that may send it', () => {
    expect(vetoCall('KXTEST').senders).toContain('PAUSER');
    expect(revokeRoleCall('OPERATOR', HOLDER).senders).toEqual(['PAUSER', 'ADMIN']);
    expect(revokeRoleCall('PAUSER', HOLDER).senders).toEqual(['ADMIN']);
    expect(registerCall('KXTEST').senders).toEqual(['ATTESTOR']);
    expect(finalizeCall('KXTEST').senders).toEqual(['OPERATOR']);
  });
});
