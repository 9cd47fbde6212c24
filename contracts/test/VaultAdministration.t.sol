// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {OutcomeToken} from "../src/OutcomeToken.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Backing, Fill, Order} from "../src/SwapTypes.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract VaultAdministrationTest is Fixture {
    function test_pauseStopsRequestsAndFillsOnly() public {
        _grantDefault();
        _acquire(address(account), OTHER_MARKET, 0, 1e6);
        Order memory a = _buy(address(account), 1e6, 1e6);
        Order memory b = _buy(address(account), 1e6, 1e6);
        Order memory c = _buy(address(account), 1e6, 1e6);
        _request(a);
        _request(b);
        _request(c);
        _propose(OTHER_MARKET, ONE, 0);
        vm.prank(pauser);
        vault.pause();
        assert(vault.paused());

        vm.prank(address(account));
        vm.expectRevert(SwapVault.VaultPaused.selector);
        vault.request(_buy(address(account), 1e6, 1e6));
        vm.startPrank(operator);
        vm.expectRevert(SwapVault.VaultPaused.selector);
        vault.requestFor(new Order[](0), _unsigned(0));
        vm.expectRevert(SwapVault.VaultPaused.selector);
        vault.fill(_last(a, 1e6, 1e6));
        vm.expectRevert(SwapVault.VaultPaused.selector);
        vault.fillBatch(new Fill[](0));

        vault.refund(a);
        account.operatorWithdraw(address(usdc), 0, 1e6, stranger, bytes32("w"));
        vm.stopPrank();
        vm.warp(START + 1 hours);
        vault.refund(b);
        vault.refundBatch(_one(c));
        _eq(_status(c), 3, "batch");
        _finalize(OTHER_MARKET);
        settlement.redeem(address(account), OTHER_MARKET, 0, 1e6);

        vm.prank(admin);
        vault.unpause();
        _request(_buy(address(account), 1e6, 1e6));
    }

    function test_eachPowerBelongsToItsRole() public {
        _denied(pauser, abi.encodeCall(vault.unpause, ()));
        _denied(operator, abi.encodeCall(vault.pause, ()));
        _denied(operator, abi.encodeCall(vault.acceptTreasury, ()));
        _denied(admin, abi.encodeCall(vault.acceptTreasury, ()));
        _denied(operator, abi.encodeCall(vault.setBuckets, (1, 1, 1)));
        _denied(operator, abi.encodeCall(vault.setTimings, (1, 1)));
        _denied(operator, abi.encodeCall(vault.sweep, (0)));
        _deniedAtSettlement(operator, abi.encodeCall(settlement.proposeSettlement, (MARKET, ONE, 0)));
        _deniedAtSettlement(operator, abi.encodeCall(settlement.vetoSettlement, (MARKET)));
        _denied(operator, abi.encodeCall(vault.attestBacking, (new Backing[](0))));
        _deniedAtSettlement(operator, abi.encodeCall(settlement.registerMarket, ("x")));
        _deniedAtSettlement(resolver, abi.encodeCall(settlement.registerMarket, ("x")));
        _denied(attestor, abi.encodeCall(vault.fillBatch, (new Fill[](0))));
        _denied(resolver, abi.encodeCall(vault.fillBatch, (new Fill[](0))));
        _denied(admin, abi.encodeCall(vault.fillBatch, (new Fill[](0))));
        _denied(admin, abi.encodeCall(vault.pause, ()));
        _denied(operator, abi.encodeCall(vault.grantRole, (vault.OPERATOR_ROLE(), stranger)));
    }

    function _denied(address caller, bytes memory data) private {
        vm.prank(caller);
        (bool ok,) = address(vault).call(data);
        assert(!ok);
    }

    function _deniedAtSettlement(address caller, bytes memory data) private {
        vm.prank(caller);
        (bool ok,) = address(settlement).call(data);
        assert(!ok);
    }

    function test_parameters() public {
        vm.startPrank(admin);
        vault.setTimings(7, 9);
        vault.setBuckets(11, 13, 17);
        SwapVault.Parameters memory p = vault.parameters();
        _eq(p.settlementDelay, 7, "delay");
        _eq(p.maxBackingAge, 9, "age");
        _eq(p.mintPerHour, 11, "mint cap");
        _eq(p.payoutPerHour, 13, "payout cap");
        _eq(p.settlementPerHour, 17, "settlement cap");
        (uint256 mintRoom, uint256 payoutRoom, uint256 settlementRoom) = vault.rooms();
        _eq(mintRoom, 11, "mint room");
        _eq(payoutRoom, 13, "payout room");
        _eq(settlementRoom, 17, "settlement room");
    }

    function test_nobodyBecomesTheTreasuryUnasked() public {
        vm.prank(stranger);
        usdc.approve(address(vault), type(uint256).max); // for orders of its own
        vm.prank(admin);
        vault.grantRole(TREASURY_ROLE, stranger);
        assert(vault.treasury() == treasury);
        vm.prank(stranger);
        vault.acceptTreasury();
        assert(vault.treasury() == stranger);
        _denied(stranger, abi.encodeCall(vault.acceptTreasury, ())); // once for each invitation
        _denied(treasury, abi.encodeCall(vault.acceptTreasury, ()));
        _denied(treasury, abi.encodeCall(vault.sweep, (0)));
    }

    function test_thePauserDismissesHotKeysOnly() public {
        bytes32[3] memory hot = [vault.OPERATOR_ROLE(), vault.ATTESTOR_ROLE(), vault.RESOLVER_ROLE()];
        address[3] memory holders = [operator, attestor, resolver];
        for (uint256 i; i < hot.length; ++i) {
            _denied(stranger, abi.encodeCall(vault.revokeRole, (hot[i], holders[i])));
            _denied(operator, abi.encodeCall(vault.revokeRole, (hot[i], holders[i])));
            vm.prank(pauser);
            vault.revokeRole(hot[i], holders[i]);
            assert(!vault.hasRole(hot[i], holders[i]));
            _denied(pauser, abi.encodeCall(vault.grantRole, (hot[i], holders[i])));
            vm.startPrank(admin);
            vault.grantRole(hot[i], holders[i]);
            vault.revokeRole(hot[i], holders[i]);
            vm.stopPrank();
            assert(!vault.hasRole(hot[i], holders[i]));
        }
        _denied(pauser, abi.encodeCall(vault.revokeRole, (bytes32(0), admin)));
        _denied(pauser, abi.encodeCall(vault.revokeRole, (vault.PAUSER_ROLE(), pauser)));
        _denied(operator, abi.encodeCall(vault.fillBatch, (new Fill[](0))));
        _deniedAtSettlement(resolver, abi.encodeCall(settlement.proposeSettlement, (MARKET, ONE, 0)));
    }

    function test_nothingIsMintedBeforeTheCapsAreSet() public {
        SwapVault fresh = new SwapVault(usdc, admin);
        (uint256 mintRoom, uint256 payoutRoom, uint256 settlementRoom) = fresh.rooms();
        _eq(mintRoom + payoutRoom + settlementRoom, 0, "rooms");
    }

    function test_sweepTakesOnlyWhatIsTheServices() public {
        _acquire(address(account), MARKET, 0, 5e6);
        Order memory o = _buy(address(otherAccount), 1e6, 1e6);
        _request(o);
        vm.prank(stranger);
        vm.expectRevert(SwapVault.NotTreasuryOrAdmin.selector);
        vault.sweep(1);
        uint256 before = _usdc(treasury);
        vm.prank(admin);
        vault.sweep(2e6);
        vm.prank(treasury);
        vault.sweep(3e6);
        _eq(_usdc(treasury), before + 5e6, "swept");
        vm.prank(treasury);
        vm.expectRevert();
        vault.sweep(1);
        _eq(_usdc(address(vault)), 1e6, "escrow is untouched");
    }

    function test_attestations() public {
        Backing[] memory one = _backing(yes, type(uint56).max, ONE);
        vm.recordLogs();
        vm.prank(attestor);
        vault.attestBacking(one);
        Vm.Log memory log = vm.getRecordedLogs()[0];
        assert(log.topics[0] == SwapVault.BackingAttested.selector && log.topics[1] == bytes32(yes));
        assert(keccak256(log.data) == keccak256(abi.encode(type(uint56).max, ONE)));
        (uint56 supply, uint56 minted, uint56 bought, uint32 until, uint24 floor,,) = vault.tokens(yes);
        assert(supply == 0 && minted == 0 && bought == type(uint56).max && floor == ONE);
        _eq(until, START + 15 minutes, "good until");
        // an age that no attestation could be stored with is no age
        vm.prank(admin);
        vault.setTimings(0, type(uint32).max);
        vm.prank(attestor);
        vm.expectRevert(
            abi.encodeWithSelector(
                SafeCast.SafeCastOverflowedUintDowncast.selector, 32, START + type(uint32).max
            )
        );
        vault.attestBacking(one);
    }

    function test_tokenIds() public view {
        bytes32 expected = keccak256(abi.encode(keccak256("kalshi"), MARKET, uint8(1)));
        _eq(vault.tokenIdOf(MARKET, 1), uint256(expected), "id");
    }

    function test_outcomeToken() public {
        assert(token.vault() == address(vault) && token.decimals() == 6);
        assert(bytes(token.name()).length > 0 && bytes(token.symbol()).length > 0);
        assert(keccak256(bytes(token.uri(yes))) == keccak256("https://crossbook.example/v1/tokens/{id}"));
        vm.startPrank(admin);
        vm.expectRevert(OutcomeToken.OnlyVault.selector);
        token.mint(admin, yes, 1);
        vm.expectRevert(OutcomeToken.OnlyVault.selector);
        token.burnFrom(admin, yes, 1);
        vm.recordLogs();
        token.setUriBase("https://other.example");
        vm.stopPrank();
        Vm.Log memory changed = vm.getRecordedLogs()[0];
        assert(keccak256(changed.data) == keccak256(abi.encode("https://other.example")));
        assert(keccak256(bytes(token.uri(yes))) == keccak256("https://other.example/v1/tokens/{id}"));
        address[3] memory callers = [operator, stranger, address(vault)];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(OutcomeToken.OnlyAdmin.selector);
            token.setUriBase("x");
        }
        assert(token.isApprovedForAll(owner, address(vault)));
        assert(!token.isApprovedForAll(owner, operator));
    }

    function test_holdersTradeFreely() public {
        _acquire(stranger, MARKET, 0, 2e6);
        vm.prank(operator);
        vm.expectRevert();
        token.safeTransferFrom(stranger, operator, yes, 1e6, "");
        vm.prank(stranger);
        token.setApprovalForAll(other, true);
        vm.prank(other);
        token.safeTransferFrom(stranger, other, yes, 1e6, "");
        _eq(token.balanceOf(other, yes), 1e6, "moved");
    }
}
