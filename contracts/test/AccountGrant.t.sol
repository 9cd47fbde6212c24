// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Call} from "../src/SignedBatch.sol";
import {Grant, TradingAccount} from "../src/TradingAccount.sol";
import {TradingAccountFactory} from "../src/TradingAccountFactory.sol";
import {BATCH, ContractOwner} from "./ContractOwner.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract AccountGrantTest is Fixture {
    function test_recordsWhatTheOwnerSigned() public {
        Grant memory g = _defaultGrant(account);
        vm.recordLogs();
        vm.prank(stranger);
        _grant(account, OWNER_KEY, g);
        Grant memory recorded = account.grant();
        assert(keccak256(abi.encode(recorded)) == keccak256(abi.encode(g)));
        _eq(account.grantNonce(), 1, "next nonce");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assert(logs[0].topics[0] == TradingAccount.GrantSet.selector);
    }

    function test_noGrantAtFirst() public view {
        Grant memory g = account.grant();
        assert(g.operator == address(0) && g.validUntil == 0 && g.nonce == 0);
        (uint256 toOrder, uint256 toWithdraw) = account.remainingToday();
        _eq(toOrder + toWithdraw, 0, "nothing is allowed");
    }

    function test_ownerNeedsNoSignature() public {
        Grant memory g = _defaultGrant(account);
        vm.prank(owner);
        account.setGrant(g, "");
        _eq(account.grantNonce(), 1, "nonce");
    }

    function test_refusesOtherSignatures() public {
        Grant memory g = _defaultGrant(account);
        bytes32 digest = _grantDigest(address(account), g);
        _refused(g, _sign(OTHER_KEY, digest));
        _refused(g, "");
        _refused(g, hex"00");
        bytes memory good = _sign(OWNER_KEY, digest);
        g.maxPerDay += 1;
        _refused(g, good);
        g.maxPerDay -= 1;
        g.operator = stranger;
        _refused(g, good);
        g.operator = address(vault);
        g.withdrawAnywhere = false;
        _refused(g, good);
        g.withdrawAnywhere = true;
        account.setGrant(g, good);
    }

    function _refused(Grant memory g, bytes memory signature) private {
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        account.setGrant(g, signature);
    }

    function test_replayAcrossNoncesAccountsAndChains() public {
        Grant memory g = _defaultGrant(account);
        bytes memory signature = _sign(OWNER_KEY, _grantDigest(address(account), g));
        account.setGrant(g, signature);
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, 1));
        account.setGrant(g, signature);
        // the same owner's account of another factory
        TradingAccountFactory second = new TradingAccountFactory(vault);
        TradingAccount twin = TradingAccount(payable(second.createAccount(owner)));
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        twin.setGrant(g, signature);
        // the same account on another chain
        g.nonce = 1;
        signature = _sign(OWNER_KEY, _grantDigest(address(account), g));
        uint256 chain = block.chainid;
        vm.chainId(chain + 1);
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        account.setGrant(g, signature);
        vm.chainId(chain);
        account.setGrant(g, signature);
    }

    function test_malleableSignatureIsRefused() public {
        Grant memory g = _defaultGrant(account);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OWNER_KEY, _grantDigest(address(account), g));
        uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        _refused(g, abi.encodePacked(r, order - uint256(s), v == 27 ? 28 : 27));
    }

    function test_expiredGrantIsRefused() public {
        Grant memory g = _defaultGrant(account);
        g.validUntil = uint48(START - 1);
        vm.prank(owner);
        vm.expectRevert(TradingAccount.GrantExpired.selector);
        account.setGrant(g, "");
        g.validUntil = uint48(START);
        vm.prank(owner);
        account.setGrant(g, "");
    }

    function test_grantsBeyondTheLastSecondOfTheirClockAreRefused() public {
        Grant memory g = _defaultGrant(account);
        g.validUntil = uint48(type(uint32).max) + 1;
        vm.prank(owner);
        vm.expectRevert(TradingAccount.GrantTooLong.selector);
        account.setGrant(g, "");
        g.validUntil = type(uint32).max;
        vm.prank(owner);
        account.setGrant(g, "");
        _eq(account.grant().validUntil, type(uint32).max, "validity");
    }

    function testFuzz_whatIsSignedIsWhatIsRecorded(
        address to,
        uint32 validUntil,
        bool anywhere,
        uint64 perOrder,
        uint64 perDay,
        uint64 perDayWithdrawn
    ) public {
        for (uint256 i; i < 3; ++i) {
            Grant memory g = Grant({
                operator: i == 1 ? address(vault) : to,
                validUntil: validUntil < START ? uint48(START) : validUntil,
                withdrawAnywhere: i == 1 ? !anywhere : anywhere,
                maxPerOrder: perOrder,
                maxPerDay: perDay,
                maxWithdrawPerDay: perDayWithdrawn,
                nonce: account.grantNonce(),
                keyKind: 0,
                key: 0
            });
            _grant(account, OWNER_KEY, g);
            assert(keccak256(abi.encode(account.grant())) == keccak256(abi.encode(g)));
        }
        _eq(account.grantNonce(), 3, "nonce");
        vm.prank(owner);
        account.revoke();
        Grant memory none = account.grant();
        assert(none.operator == address(0) && none.validUntil == 0 && !none.withdrawAnywhere);
        assert(none.maxPerOrder == 0 && none.maxPerDay == 0 && none.maxWithdrawPerDay == 0);
        _eq(account.grantNonce(), 4, "nonce");
    }

    function test_theVaultsOperatorsLoseAGrantGivenToAnother() public {
        _grantDefault();
        Grant memory g = _defaultGrant(account);
        g.operator = stranger;
        _grant(account, OWNER_KEY, g);
        vm.prank(operator);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("a"));
        vm.prank(stranger);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("a"));
        _grant(account, OWNER_KEY, _defaultGrant(account));
        vm.prank(stranger);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("b"));
        assert(_requestFor(_buy(address(account), 1e6, 1e6)));
    }

    function test_aGrantToNobodyAllowsNothing() public {
        _grantDefault();
        Grant memory g = _defaultGrant(account);
        g.operator = address(0);
        _grant(account, OWNER_KEY, g);
        vm.prank(operator);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("a"));
        assert(!_requestFor(_buy(address(account), 1e6, 1e6)));
    }

    /// After the last nonce no grant is taken, yet the one in force can still be ended.
    function test_theLastNonce() public {
        _grantDefault();
        bytes32 slot = bytes32(uint256(2));
        bytes32 terms = vm.load(address(account), slot);
        uint256 shift = 64 * 3 + 32;
        uint256 withLast = uint256(terms) | (uint256(type(uint24).max) << shift);
        vm.store(address(account), slot, bytes32(withLast));
        _eq(account.grantNonce(), type(uint24).max, "the slot is where it was meant to be");
        assert(_requestFor(_buy(address(account), 1e6, 1e6)));
        Grant memory g = _defaultGrant(account);
        vm.prank(owner);
        vm.expectRevert();
        account.setGrant(g, "");
        vm.prank(owner);
        account.revoke();
        assert(!_requestFor(_buy(address(account), 1e6, 1e6)));
        vm.prank(owner);
        vm.expectRevert();
        account.setGrant(g, "");
    }

    function test_revokeEndsThisAndEveryUnrelayedGrant() public {
        _grantDefault();
        Grant memory pending = _defaultGrant(account);
        bytes memory signature = _sign(OWNER_KEY, _grantDigest(address(account), pending));
        vm.prank(operator);
        vm.expectRevert(TradingAccount.OnlyOwner.selector);
        account.revoke();
        vm.prank(owner);
        account.revoke();
        assert(account.grant().operator == address(0));
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, 2));
        account.setGrant(pending, signature);
        vm.prank(operator);
        vm.expectRevert(TradingAccount.GrantExpired.selector);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("r"));
        assert(!_requestFor(_buy(address(account), 1e6, 1e6)));
    }

    function test_ownerRevokesThroughTheAccountToo() public {
        _grantDefault();
        Call[] memory calls = new Call[](1);
        calls[0] = Call(address(account), 0, abi.encodeCall(account.revoke, ()));
        vm.prank(ENTRY_POINT);
        account.execute(BATCH, abi.encode(calls));
        assert(account.grant().operator == address(0));
    }

    function test_contractOwnersSignByErc1271() public {
        ContractOwner wallet = new ContractOwner();
        TradingAccount a = TradingAccount(payable(factory.createAccount(address(wallet))));
        Grant memory g = _defaultGrant(a);
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        a.setGrant(g, "");
        wallet.approve(_grantDigest(address(a), g));
        a.setGrant(g, "");
        _eq(a.grantNonce(), 1, "nonce");
        wallet.call(address(a), abi.encodeCall(a.revoke, ()));
        _eq(a.grantNonce(), 2, "nonce");
    }

    function test_delegatedOwnersKeepSigning() public {
        vm.etch(owner, address(new ContractOwner()).code); // an owner key with code, as EIP-7702 gives
        _grant(account, OWNER_KEY, _defaultGrant(account));
        _eq(account.grantNonce(), 1, "nonce");
    }
}
