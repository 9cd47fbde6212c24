// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155Errors, IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {LeakyBucket} from "../src/LeakyBucket.sol";
import {Settlement} from "../src/Settlement.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Order} from "../src/SwapTypes.sol";
import {TestUsdc} from "../src/TestUsdc.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract MergeTest is Fixture {
    function setUp() public override {
        super.setUp();
        _acquire(address(account), MARKET, 0, 10e6);
        _acquire(address(account), MARKET, 1, 4e6);
    }

    function _merge(uint256 amount) private {
        vm.prank(address(account));
        settlement.merge(MARKET, amount);
    }

    function test_pairsBecomeDollars() public {
        uint256 before = _usdc(address(account));
        _merge(3e6);
        _eq(_usdc(address(account)), before + 3e6, "a dollar each");
        _eq(token.balanceOf(address(account), yes), 7e6, "yes");
        _eq(token.balanceOf(address(account), no), 1e6, "no");
        _eq(token.totalSupply(yes), 7e6, "supply of yes");
        _eq(token.totalSupply(no), 1e6, "supply of no");
        _eq(vault.accrued(), 11e6, "paid from the earnings");
        _eq(_usdc(address(vault)), 11e6, "the vault's USDC");
        _eq(_usdc(treasury), 1_000_000e6, "the treasury's");
    }

    function test_paysAllEarningsBeforeTheTreasury() public {
        vm.prank(treasury);
        vault.sweep(10e6);
        _merge(4e6);
        _eq(vault.accrued(), 0, "all of them");
        _eq(_usdc(treasury), 1_000_010e6, "nothing of the treasury");
    }

    /// Where the earnings do not cover all, the treasury pays all, in one transfer.
    function test_theTreasuryPaysWhatTheEarningsDoNotCover() public {
        vm.prank(treasury);
        vault.sweep(10e6 + 1);
        uint256 before = _usdc(address(account));
        vm.recordLogs();
        _merge(4e6);
        (uint256 amount, bool byTreasury) = _lastMerged();
        _eq(amount, 4e6, "logged");
        assert(byTreasury);
        _eq(_usdc(address(account)), before + 4e6, "a dollar each");
        _eq(_usdc(treasury), 1_000_006e6 + 1, "the treasury's");
        _eq(vault.accrued(), 4e6 - 1, "untouched");
        _eq(_usdc(address(vault)), 4e6 - 1, "the vault's USDC");
    }

    function test_theLogSaysThatTheEarningsPaid() public {
        vm.recordLogs();
        _merge(1e6);
        (, bool byTreasury) = _lastMerged();
        assert(!byTreasury);
    }

    function _lastMerged() private returns (uint256, bool) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory log = logs[logs.length - 1];
        assert(log.topics[0] == Settlement.PairsMerged.selector);
        assert(log.topics[1] == bytes32(uint256(uint160(address(account)))));
        assert(log.topics[2] == MARKET && log.emitter == address(settlement));
        return abi.decode(log.data, (uint256, bool));
    }

    function test_withoutFundsItRevertsAndTheTokensStay() public {
        vm.startPrank(treasury);
        vault.sweep(11e6);
        usdc.approve(address(vault), 4e6 - 1);
        vm.stopPrank();
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        _merge(4e6);
        _eq(token.balanceOf(address(account), yes), 10e6, "yes");
        _eq(token.balanceOf(address(account), no), 4e6, "no");
        _merge(3e6);
    }

    function test_aBlockedHolderKeepsItsTokens() public {
        vm.prank(admin);
        usdc.blacklist(address(account));
        vm.expectRevert(abi.encodeWithSelector(TestUsdc.Blocked.selector, address(account)));
        _merge(4e6);
        _eq(token.balanceOf(address(account), no), 4e6, "no");
    }

    function test_notWhilePaused() public {
        vm.prank(pauser);
        vault.pause();
        vm.expectRevert(SwapVault.VaultPaused.selector);
        _merge(1e6);
    }

    function test_notOnceSettled() public {
        _settle(MARKET, ONE, 0);
        vm.expectRevert(Settlement.MarketSettled.selector);
        _merge(1e6);
    }

    /// An exchange may void a market this way. A merge would take the difference from the service.
    function test_notWhileAProposalPaysAPairLess() public {
        _propose(MARKET, 500_000, 400_000);
        vm.expectRevert(Settlement.PairBelowOneDollar.selector);
        _merge(1e6);
        vm.prank(pauser);
        settlement.vetoSettlement(MARKET);
        _merge(1e6); // what was proposed once counts no more
        _propose(MARKET, 270_000, 730_000);
        _merge(1e6);
    }

    function test_anUnregisteredMarketMergesToo() public {
        bytes32 market = keccak256("KXNEW");
        _attest(market, 2e6);
        _acquire(address(account), market, 0, 2e6);
        _acquire(address(account), market, 1, 2e6);
        vm.prank(address(account));
        settlement.merge(market, 2e6);
        _eq(token.totalSupply(vault.tokenIdOf(market, 0)), 0, "supply");
    }

    function test_onlyWholePairsOfOnesOwn() public {
        vm.expectRevert(_short(no, 4e6, 4e6 + 1));
        _merge(4e6 + 1);
        _merge(4e6);
        vm.expectRevert(_short(no, 0, 1));
        _merge(1);
        vm.prank(stranger);
        vm.expectPartialRevert(IERC1155Errors.ERC1155InsufficientBalance.selector);
        settlement.merge(MARKET, 1);
        vm.expectRevert(Settlement.NothingToMerge.selector);
        _merge(0);
        vm.expectRevert();
        _merge(type(uint256).max);
    }

    function _short(uint256 id, uint256 balance, uint256 needed) private view returns (bytes memory) {
        return abi.encodeWithSelector(
            IERC1155Errors.ERC1155InsufficientBalance.selector, address(account), balance, needed, id
        );
    }

    function test_tokensOfOpenSellsStayLocked() public {
        Order memory o = _order(address(account), MARKET, 1, false, 4e6, 1e6);
        _request(o);
        vm.expectRevert(_short(no, 0, 1e6));
        _merge(1e6);
        vm.prank(operator);
        vault.refund(o);
        _merge(4e6);
    }

    function test_countsAsPayoutOfTheHour() public {
        vm.prank(admin);
        vault.setBuckets(1_000e6, 3e6, 1_000e6);
        _merge(2e6);
        Order memory o = _sell(address(account), 2e6, 2e6);
        _request(o);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(LeakyBucket.BucketOverflow.selector, 2e6, 1e6));
        vault.fill(_last(o, 2e6, 2e6));
        vm.expectRevert(abi.encodeWithSelector(LeakyBucket.BucketOverflow.selector, 1e6 + 1, 1e6));
        _merge(1e6 + 1);
        vm.warp(START + 20 minutes);
        _merge(2e6);
        (, uint256 room,) = vault.rooms();
        _eq(room, 0, "used up, and leaking from this moment on");
    }

    /// Supply and what may be minted stay as far apart as they were.
    function test_makesNoRoomForAMint() public {
        _attest(MARKET, 10e6); // as much Yes as was ever minted, and 6 No that wait
        _merge(4e6);
        _fund(address(account), 7e6);
        Order memory o = _order(address(account), MARKET, 0, true, 1, 1);
        _request(o);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BackingExceeded.selector, 10e6 + 1, 10e6));
        vault.fill(_last(o, 1, 1));
        Order memory ofNo = _order(address(account), MARKET, 1, true, 6e6 + 1, 6e6 + 1);
        _request(ofNo);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BackingExceeded.selector, 10e6 + 1, 10e6));
        vault.fill(_last(ofNo, 6e6 + 1, 6e6 + 1));
    }

    function test_onlyTheSettlementHasPairsPaid() public {
        vm.prank(admin);
        vm.expectRevert(SwapVault.OnlySettlement.selector);
        vault.payForPairs(address(account), MARKET, 1e6);
    }

    /// Whatever a market pays, if a pair is worth a dollar: holder and service have as much afterwards
    /// as before, by whoever is paid.
    /// forge-config: long.fuzz.runs = 1000000
    function testFuzz_netValueIsUnchanged(uint256 amount, uint256 payoutYes, uint256 swept) public {
        amount = 1 + (amount % 4e6);
        payoutYes %= ONE + 1;
        vm.prank(treasury);
        vault.sweep(uint64(swept % (14e6 + 1)));
        (uint256 holderBefore, uint256 serviceBefore) = _values(payoutYes);
        _merge(amount);
        (uint256 holder, uint256 service) = _values(payoutYes);
        _eq(holder, holderBefore, "holder");
        _eq(service, serviceBefore, "service");
        _eq(_usdc(address(vault)), vault.accrued(), "the vault's USDC");
    }

    /// In millionths of a micro-dollar; the service's less what its tokens would be paid.
    function _values(uint256 payoutYes) private view returns (uint256 holder, uint256 service) {
        uint256 payoutNo = ONE - payoutYes;
        holder = _usdc(address(account)) * ONE + token.balanceOf(address(account), yes) * payoutYes
            + token.balanceOf(address(account), no) * payoutNo;
        service = (_usdc(address(vault)) + _usdc(treasury)) * ONE - token.totalSupply(yes) * payoutYes
            - token.totalSupply(no) * payoutNo;
    }
}
