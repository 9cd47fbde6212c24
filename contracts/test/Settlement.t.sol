// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";

import {LeakyBucket} from "../src/LeakyBucket.sol";
import {Settlement} from "../src/Settlement.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Redemption} from "../src/SwapTypes.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract SettlementTest is Fixture {
    function setUp() public override {
        super.setUp();
        _acquire(address(account), MARKET, 0, 10e6);
        _acquire(address(otherAccount), MARKET, 1, 4e6);
    }

    function test_binary() public {
        _settle(MARKET, ONE, 0);
        _eq(vault.accrued(), 4e6, "the collateral left the service's own funds");
        uint256 before = _usdc(address(account));
        vm.prank(stranger);
        settlement.redeem(address(account), MARKET, 0, 10e6);
        _eq(_usdc(address(account)), before + 10e6, "winner");
        before = _usdc(address(otherAccount));
        settlement.redeem(address(otherAccount), MARKET, 1, 4e6);
        _eq(_usdc(address(otherAccount)), before, "loser");
        _eq(token.totalSupply(yes) + token.totalSupply(no), 0, "all burned");
    }

    function test_scalarAndVoid() public {
        _settle(MARKET, 270_000, 730_000);
        uint256 before = _usdc(address(account));
        settlement.redeem(address(account), MARKET, 0, type(uint256).max);
        _eq(_usdc(address(account)), before + 2_700_000, "yes");
        before = _usdc(address(otherAccount));
        settlement.redeem(address(otherAccount), MARKET, 1, type(uint256).max);
        _eq(_usdc(address(otherAccount)), before + 2_920_000, "no");
        _attest(OTHER_MARKET, 3e6);
        _acquire(address(account), OTHER_MARKET, 0, 3e6);
        _settle(OTHER_MARKET, 500_000, 500_000);
        before = _usdc(address(account));
        settlement.redeem(address(account), OTHER_MARKET, 0, 3e6);
        _eq(_usdc(address(account)), before + 1_500_000, "void");
    }

    function test_collateralComesFromTheTreasuryWhenNeeded() public {
        vm.prank(treasury);
        vault.sweep(14e6);
        uint256 before = _usdc(treasury);
        _settle(MARKET, ONE, 0);
        _eq(_usdc(treasury), before - 10e6, "treasury");
        _eq(_usdc(address(settlement)), 10e6, "fully funded before the first redemption");
        _eq(_usdc(address(vault)), 0, "nothing of it stays in the vault");
    }

    function test_unfundedSettlementDoesNotOpen() public {
        vm.startPrank(treasury);
        vault.sweep(14e6);
        usdc.approve(address(vault), 10e6 - 1);
        vm.stopPrank();
        _propose(MARKET, ONE, 0);
        vm.warp(START + 1 hours);
        vm.expectRevert();
        _finalize(MARKET);
        vm.expectRevert(SwapVault.MarketNotSettled.selector);
        settlement.redeem(address(account), MARKET, 0, 10e6);
        vm.prank(treasury);
        usdc.approve(address(vault), 10e6);
        _finalize(MARKET);
        settlement.redeem(address(account), MARKET, 0, 10e6);
    }

    function test_delay() public {
        vm.expectRevert(Settlement.NoSettlementProposed.selector);
        _finalize(MARKET);
        _propose(MARKET, ONE, 0);
        vm.warp(START + 1 hours - 1);
        vm.expectRevert(abi.encodeWithSelector(Settlement.SettlementDelayRunning.selector, START + 1 hours));
        _finalize(MARKET);
        vm.warp(START + 1 hours);
        _finalize(MARKET);
        vm.expectRevert(Settlement.NoSettlementProposed.selector);
        _finalize(MARKET);
    }

    function test_onlyRegisteredMarketsSettle() public {
        bytes32 invented = keccak256("KXINVENTED");
        vm.prank(resolver);
        vm.expectRevert(Settlement.MarketNotRegistered.selector);
        settlement.proposeSettlement(invented, ONE, 0);
        vm.expectRevert(Settlement.NoSettlementProposed.selector);
        _finalize(invented);
        vm.prank(attestor);
        settlement.registerMarket("KXINVENTED");
        _settle(invented, ONE, 0);
    }

    function test_onlyAnOperatorOpensThePayoutAtFirst() public {
        _propose(MARKET, ONE, 0);
        vm.warp(START + 1 hours + 7 days - 1);
        bytes memory denied = abi.encodeWithSelector(
            IAccessControl.AccessControlUnauthorizedAccount.selector, stranger, vault.OPERATOR_ROLE()
        );
        vm.prank(stranger);
        vm.expectRevert(denied);
        settlement.finalizeSettlement(MARKET);
        vm.warp(START + 1 hours + 7 days);
        vm.prank(stranger); // absent operators hold nothing back for ever
        settlement.finalizeSettlement(MARKET);
        settlement.redeem(address(account), MARKET, 0, 10e6);
    }

    /// One key alone settles nothing, whatever roles it has and gives up.
    function test_theProposerNeverExecutes() public {
        bytes32 resolverRole = vault.RESOLVER_ROLE();
        bytes32 operatorRole = vault.OPERATOR_ROLE();
        vm.prank(admin);
        vault.grantRole(operatorRole, resolver);
        _propose(MARKET, ONE, 0);
        vm.startPrank(resolver);
        vault.renounceRole(resolverRole, resolver);
        vm.warp(START + 1 hours);
        vm.expectRevert(Settlement.ProposerCannotFinalize.selector);
        settlement.finalizeSettlement(MARKET);
        vm.warp(START + 30 days);
        vm.expectRevert(Settlement.ProposerCannotFinalize.selector);
        settlement.finalizeSettlement(MARKET);
        vm.stopPrank();
        _finalize(MARKET);
    }

    function test_hourlySettlementCap() public {
        vm.prank(admin);
        vault.setBuckets(1_000e6, 1_000e6, 10e6);
        _acquire(address(account), OTHER_MARKET, 0, 6e6);
        _propose(MARKET, ONE, 0);
        _propose(OTHER_MARKET, ONE, 0);
        vm.warp(START + 1 hours);
        _finalize(MARKET);
        bytes memory full = abi.encodeWithSelector(LeakyBucket.BucketOverflow.selector, 6e6, 0);
        vm.expectRevert(full);
        _finalize(OTHER_MARKET);
        (,,, Settlement.MarketState state,) = settlement.markets(OTHER_MARKET);
        assert(state == Settlement.MarketState.Proposed);
        vm.warp(START + 1 hours + 36 minutes); // six tenths have leaked
        (,, uint256 room) = vault.rooms();
        _eq(room, 6e6, "room");
        _finalize(OTHER_MARKET);
        (,, room) = vault.rooms();
        _eq(room, 0, "room");
        vm.prank(admin);
        vault.setBuckets(1_000e6, 1_000e6, 10e6);
        (,, room) = vault.rooms();
        _eq(room, 10e6, "what was used counts no more");
        settlement.redeem(address(account), OTHER_MARKET, 0, 6e6);
    }

    function test_aSettlementAboveTheCapWaitsForTheAdministrator() public {
        vm.prank(admin);
        vault.setBuckets(1_000e6, 1_000e6, 10e6 - 1);
        _propose(MARKET, ONE, 0);
        vm.warp(START + 1 hours);
        vm.expectRevert(abi.encodeWithSelector(LeakyBucket.BucketOverflow.selector, 10e6, 10e6 - 1));
        _finalize(MARKET);
        vm.prank(admin);
        vault.setBuckets(1_000e6, 1_000e6, 10e6);
        _finalize(MARKET);
        settlement.redeem(address(account), MARKET, 0, 10e6);
    }

    function test_tokensMintedAfterTheProposalAreFundedToo() public {
        _propose(MARKET, ONE, 0);
        _acquire(stranger, MARKET, 0, 5e6);
        vm.warp(START + 1 hours);
        uint256 before = vault.accrued();
        _finalize(MARKET);
        _eq(before - vault.accrued(), 15e6, "collateral of what exists at the end of the delay");
        settlement.redeem(stranger, MARKET, 0, type(uint256).max);
        settlement.redeem(address(account), MARKET, 0, type(uint256).max);
        _eq(_usdc(stranger), 5e6, "paid");
    }

    function test_aVetoedProposalLeavesNothingBehind() public {
        _propose(MARKET, ONE, 0);
        vm.warp(START + 1 hours - 1);
        vm.prank(pauser);
        settlement.vetoSettlement(MARKET);
        _attest(MARKET, 100_000e6);
        _acquire(stranger, MARKET, 1, 1e6);
        vm.expectRevert(SwapVault.MarketNotSettled.selector);
        settlement.redeem(stranger, MARKET, 1, 1e6);
        _propose(MARKET, 0, ONE); // the delay begins anew
        vm.warp(START + 2 hours - 2);
        vm.expectRevert(abi.encodeWithSelector(Settlement.SettlementDelayRunning.selector, START + 2 hours - 1));
        _finalize(MARKET);
        vm.warp(START + 2 hours - 1);
        _finalize(MARKET);
        settlement.redeem(stranger, MARKET, 1, 1e6);
        _eq(_usdc(stranger), 1e6, "the second proposal counts");
    }

    function test_collateralIsRoundedUp() public {
        _acquire(address(account), OTHER_MARKET, 0, 1_000_001);
        _acquire(address(account), OTHER_MARKET, 1, 1);
        uint256 before = vault.accrued();
        _settle(OTHER_MARKET, 500_000, 500_000);
        _eq(before - vault.accrued(), 500_001 + 1, "each side up to a whole micro-dollar");
    }

    function test_veto() public {
        vm.prank(admin);
        vm.expectRevert(Settlement.NoSettlementProposed.selector);
        settlement.vetoSettlement(MARKET);
        _propose(MARKET, ONE, 0);
        vm.prank(resolver);
        vm.expectRevert(Settlement.NotGuardian.selector);
        settlement.vetoSettlement(MARKET);
        vm.prank(admin);
        settlement.vetoSettlement(MARKET);
        vm.warp(START + 1 hours);
        vm.expectRevert(Settlement.NoSettlementProposed.selector);
        _finalize(MARKET);
        _propose(MARKET, 0, ONE);
        vm.prank(pauser);
        settlement.vetoSettlement(MARKET);
        _settle(MARKET, 0, ONE);
        vm.prank(admin);
        vm.expectRevert(Settlement.NoSettlementProposed.selector);
        settlement.vetoSettlement(MARKET);
    }

    function test_proposals() public {
        bytes32 role = vault.RESOLVER_ROLE();
        vm.prank(stranger);
        vm.expectRevert(
            abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, stranger, role)
        );
        settlement.proposeSettlement(MARKET, ONE, 0);
        vm.startPrank(resolver);
        vm.expectRevert(Settlement.BadPayout.selector);
        settlement.proposeSettlement(MARKET, ONE + 1, 0);
        vm.expectRevert(Settlement.BadPayout.selector);
        settlement.proposeSettlement(MARKET, ONE, 1);
        vm.expectRevert(Settlement.BadPayout.selector);
        settlement.proposeSettlement(MARKET, type(uint256).max, 1);
        settlement.proposeSettlement(MARKET, 400_000, 600_000);
        vm.expectRevert(Settlement.SettlementAlreadyProposed.selector);
        settlement.proposeSettlement(MARKET, ONE, 0);
        vm.stopPrank();
        vm.warp(START + 1 hours);
        _finalize(MARKET);
        vm.prank(resolver);
        vm.expectRevert(Settlement.MarketSettled.selector);
        settlement.proposeSettlement(MARKET, ONE, 0);
    }

    function test_redemptionChecks() public {
        vm.expectRevert(SwapVault.MarketNotSettled.selector);
        settlement.redeem(address(account), MARKET, 0, 1);
        _settle(MARKET, ONE, 0);
        vm.expectRevert(SwapVault.MarketNotSettled.selector);
        settlement.redeem(address(account), MARKET, 2, 1);
        vm.expectRevert(Settlement.NothingToRedeem.selector);
        settlement.redeem(address(account), MARKET, 0, 0);
        vm.expectRevert(Settlement.NothingToRedeem.selector);
        settlement.redeem(stranger, MARKET, 0, type(uint256).max);
        vm.expectRevert();
        settlement.redeem(address(account), MARKET, 0, 10e6 + 1);
        vm.expectRevert(SwapVault.BadReceiver.selector);
        settlement.redeem(address(vault), MARKET, 0, 1);
    }

    function test_strangersCannotGrindRoundings() public {
        _settle(MARKET, 333_333, 666_667);
        vm.prank(stranger);
        vm.expectRevert(Settlement.RedemptionLosesDust.selector);
        settlement.redeem(address(account), MARKET, 0, 1);
        vm.prank(address(account));
        settlement.redeem(address(account), MARKET, 0, 1);
        vm.prank(stranger);
        settlement.redeem(address(account), MARKET, 0, type(uint256).max);
        _eq(token.balanceOf(address(account), yes), 0, "the whole balance is fine");
    }

    function test_batchSkipsWhatFails() public {
        _settle(MARKET, ONE, 0);
        Redemption[] memory list = new Redemption[](3);
        list[0] = Redemption(stranger, MARKET, 0, type(uint256).max);
        list[1] = Redemption(address(account), MARKET, 0, type(uint256).max);
        list[2] = Redemption(address(otherAccount), MARKET, 1, 4e6);
        uint256 before = _usdc(address(account));
        vm.recordLogs();
        vm.prank(stranger);
        settlement.redeemBatch(list);
        _eq(_usdc(address(account)), before + 10e6, "paid");
        _eq(token.balanceOf(address(otherAccount), no), 0, "burned");
        assert(_firstOfTheSettlement(vm.getRecordedLogs()).topics[0] == Settlement.RedeemFailed.selector);
    }

    function _firstOfTheSettlement(Vm.Log[] memory logs) private view returns (Vm.Log memory) {
        for (uint256 i; i < logs.length; ++i) if (logs[i].emitter == address(settlement)) return logs[i];
        revert("no log");
    }

    function test_batchKeepsTheCallersRights() public {
        _settle(MARKET, 333_333, 666_667);
        Redemption[] memory list = new Redemption[](1);
        list[0] = Redemption(address(account), MARKET, 0, 1);
        vm.prank(stranger);
        settlement.redeemBatch(list);
        _eq(token.balanceOf(address(account), yes), 10e6, "refused for a stranger");
        vm.prank(address(account));
        settlement.redeemBatch(list);
        _eq(token.balanceOf(address(account), yes), 10e6 - 1, "allowed for the holder");
    }

    function test_onlyTheSettlementFixesPayoutsAndBurns() public {
        vm.prank(admin);
        vm.expectRevert(SwapVault.OnlySettlement.selector);
        vault.fixPayouts(MARKET, 1e6, 0);
        _settle(MARKET, ONE, 0);
        vm.prank(admin);
        vm.expectRevert(SwapVault.OnlySettlement.selector);
        vault.burnPaid(address(account), MARKET, 0, 1);
    }

    /// What a settled market owes is out of the reach of every key of the vault.
    function test_theCollateralIsNoLongerTheVaults() public {
        _settle(MARKET, ONE, 0);
        uint64 accrued = vault.accrued();
        vm.prank(treasury);
        vault.sweep(accrued);
        _eq(_usdc(address(vault)), 0, "the vault is empty");
        settlement.redeem(address(account), MARKET, 0, 10e6);
        _eq(_usdc(address(account)), 10_000e6 + 10e6, "paid all the same");
    }

    function test_theSettlementKnowsItsVault() public view {
        assert(address(settlement.vault()) == address(vault));
        assert(address(settlement.usdc()) == address(usdc));
    }

    function testFuzz_collateralCoversAnySplitOfRedemptions(uint256 price, uint256 part) public {
        price = price % (ONE + 1);
        part = 1 + (part % (10e6 - 1));
        vm.prank(treasury);
        vault.sweep(14e6);
        _settle(MARKET, price, ONE - price);
        vm.startPrank(address(account));
        settlement.redeem(address(account), MARKET, 0, part);
        settlement.redeem(address(account), MARKET, 0, type(uint256).max);
        vm.stopPrank();
        settlement.redeem(address(otherAccount), MARKET, 1, type(uint256).max);
        assert(_usdc(address(settlement)) <= 4); // only roundings remain
        _eq(settlement.claimable(address(account)), 0, "nothing was refused");
    }

    function test_marketsAreNamedOnce() public {
        bytes32 key = keccak256("KXNEW");
        vm.recordLogs();
        vm.startPrank(attestor);
        assert(settlement.registerMarket("KXNEW") == key);
        assert(settlement.registerMarket("KXNEW") == key);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        _eq(logs.length, 1, "one event");
        assert(logs[0].topics[0] == Settlement.MarketRegistered.selector && logs[0].topics[1] == key);
        assert(keccak256(logs[0].data) == keccak256(abi.encode("KXNEW")));
    }

    /// Naming a market once more neither withdraws a proposal nor opens it again.
    function test_aNamedMarketStaysAsItIs() public {
        _propose(MARKET, ONE, 0);
        vm.prank(attestor);
        settlement.registerMarket("KXTEST-1");
        vm.warp(START + 1 hours);
        _finalize(MARKET);
        vm.prank(attestor);
        settlement.registerMarket("KXTEST-1");
        vm.prank(resolver);
        vm.expectRevert(Settlement.MarketSettled.selector);
        settlement.proposeSettlement(MARKET, 0, ONE);
    }
}
