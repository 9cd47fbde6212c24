// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {ERC7821} from "@openzeppelin/contracts/account/extensions/draft-ERC7821.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

import {BatchingWallet} from "../src/BatchingWallet.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Fill, Order} from "../src/SwapTypes.sol";
import {Call} from "../src/SignedBatch.sol";
import {Grant, TradingAccount, Withdrawal} from "../src/TradingAccount.sol";
import {TradingAccountFactory} from "../src/TradingAccountFactory.sol";
import {BATCH, ContractOwner} from "./ContractOwner.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

address constant ENTRY_POINT = 0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108;

contract ForeignErc20 is ERC20("Foreign", "F") {
    constructor(address to) {
        _mint(to, 100);
    }
}

contract ForeignErc1155 is ERC1155("") {
    constructor(address to) {
        _mint(to, 3, 100, "");
    }
}

contract FactoryTest is Fixture {
    function test_addressCommitsToTheOwner() public {
        address somebody = address(0x50);
        address predicted = factory.addressOf(somebody);
        assert(predicted != factory.addressOf(stranger));
        vm.recordLogs();
        vm.prank(stranger);
        assert(factory.createAccount(somebody) == predicted);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assert(logs[0].topics[0] == TradingAccountFactory.AccountCreated.selector);
        assert(TradingAccount(payable(predicted)).owner() == somebody);
        assert(factory.createAccount(somebody) == predicted);
        _eq(vm.getRecordedLogs().length, 0, "the second creation does nothing");
    }

    function test_nobodysAccountIsRefused() public {
        vm.expectRevert(TradingAccountFactory.ZeroOwner.selector);
        factory.createAccount(address(0));
    }

    function test_theImplementationHasNoOwner() public {
        TradingAccount implementation = TradingAccount(payable(factory.implementation()));
        vm.expectRevert();
        implementation.owner();
        vm.expectRevert();
        implementation.revoke();
        vm.expectRevert();
        implementation.execute(BATCH, abi.encode(new Call[](0)));
    }

    function test_createAndGrantInOne() public {
        uint256 key = 0xCAFE;
        address somebody = vm.addr(key);
        TradingAccount a = TradingAccount(payable(factory.addressOf(somebody)));
        Grant memory g = _defaultGrant(a);
        bytes memory signature = _sign(key, _grantDigest(address(a), g));
        assert(factory.createAndGrant(somebody, g, signature) == address(a));
        assert(a.grant().operator == address(vault));
        _eq(a.grantNonce(), 1, "nonce");
    }

    function test_frontRunDeploymentHarmsNobody() public {
        uint256 key = 0xCAFE;
        address somebody = vm.addr(key);
        TradingAccount a = TradingAccount(payable(factory.addressOf(somebody)));
        Grant memory g = _defaultGrant(a);
        bytes memory signature = _sign(key, _grantDigest(address(a), g));
        vm.startPrank(stranger);
        factory.createAccount(somebody);
        factory.createAndGrant(somebody, g, signature);
        vm.stopPrank();
        // the service's own transaction still succeeds, and changes nothing
        factory.createAndGrant(somebody, g, signature);
        _eq(a.grantNonce(), 1, "nonce");
        assert(a.owner() == somebody);
        // but not after the owner revoked
        vm.prank(somebody);
        a.revoke();
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, 2));
        factory.createAndGrant(somebody, g, signature);
    }

    function test_fundsSentBeforeDeploymentAreTheOwners() public {
        address somebody = address(0x50);
        address predicted = factory.addressOf(somebody);
        _fund(predicted, 5e6);
        vm.deal(predicted, 1 ether);
        factory.createAccount(somebody);
        Call[] memory calls = new Call[](2);
        calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (somebody, 5e6)));
        calls[1] = Call(somebody, 1 ether, "");
        vm.prank(somebody);
        TradingAccount(payable(predicted)).execute(BATCH, abi.encode(calls));
        _eq(_usdc(somebody), 5e6, "usdc");
        _eq(somebody.balance, 1 ether, "ether");
    }
}

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

contract AccountSwapTest is Fixture {
    function setUp() public override {
        super.setUp();
        _grantDefault();
    }

    function test_buyUnderTheGrant() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        assert(_requestFor(o));
        _eq(_status(o), 1, "status");
        _eq(_usdc(address(vault)), 6e6, "escrow");
        (uint256 toOrder,) = account.remainingToday();
        _eq(toOrder, 8_000e6 - 6e6, "remaining");
        _eq(usdc.allowance(address(account), address(vault)), 0, "no allowance is left behind");
    }

    function test_sellUnderTheGrant() public {
        _acquire(address(account), MARKET, 0, 10e6);
        Order memory o = _sell(address(account), 10e6, 6e6);
        assert(_requestFor(o));
        _eq(token.balanceOf(address(vault), yes), 10e6, "escrow");
    }

    function test_receiverIsTheAccountOrItsOwner() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        o.receiver = stranger;
        assert(!_requestFor(o));
        o.receiver = owner;
        assert(_requestFor(o));
    }

    function test_ordersOfOtherAccountsAreRefused() public {
        Order memory o = _buy(address(otherAccount), 1e6, 1e6);
        o.receiver = address(account);
        vm.prank(address(vault));
        vm.expectRevert(TradingAccount.BadOrder.selector);
        account.operatorSwap(o, "");
    }

    function test_capsPerOrderAndPerDay() public {
        assert(!_requestFor(_buy(address(account), 9_000e6, 5_000e6 + 1)));
        assert(_requestFor(_buy(address(account), 9_000e6, 5_000e6)));
        assert(!_requestFor(_buy(address(account), 9_000e6, 3_000e6 + 1)));
        assert(_requestFor(_buy(address(account), 9_000e6, 3_000e6)));
        assert(!_requestFor(_buy(address(account), 1, 1)));
        vm.warp((START / 1 days + 1) * 1 days); // the next UTC day
        assert(_requestFor(_buy(address(account), 9_000e6, 2_000e6)));
    }

    function test_sellsCountAtADollarAContract() public {
        _acquire(address(account), MARKET, 0, 6_000e6);
        assert(!_requestFor(_sell(address(account), 5_000e6 + 1, 1)));
        assert(_requestFor(_sell(address(account), 5_000e6, 1)));
        (uint256 toOrder,) = account.remainingToday();
        _eq(toOrder, 3_000e6, "remaining");
    }

    function test_theDaysCapIsNamed() public {
        assert(_requestFor(_buy(address(account), 9_000e6, 5_000e6)));
        Order memory o = _buy(address(account), 9_000e6, 3_000e6 + 1);
        vm.prank(address(vault));
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.OverDayCap.selector, 8_000e6 + 1, 8_000e6));
        account.operatorSwap(o, "");
    }

    function test_refusalsCarryTheReason() public {
        Order memory o = _buy(address(account), 1e6, 5_000e6 + 1);
        vm.recordLogs();
        _requestFor(o);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        _eq(logs.length, 1, "nothing else happened");
        assert(logs[0].topics[0] == SwapVault.OrderRejected.selector);
        assert(logs[0].topics[1] == vault.orderIdOf(o));
        bytes memory reason = abi.encodeWithSelector(TradingAccount.OverOrderCap.selector, 5_000e6 + 1, 5_000e6);
        assert(keccak256(logs[0].data) == keccak256(abi.encode(reason)));
    }

    function test_afterExpiryNothing() public {
        vm.warp(account.grant().validUntil);
        assert(_requestFor(_buy(address(account), 1e6, 1e6)));
        vm.warp(vm.getBlockTimestamp() + 1);
        assert(!_requestFor(_buy(address(account), 1e6, 1e6)));
        (uint256 toOrder, uint256 toWithdraw) = account.remainingToday();
        _eq(toOrder + toWithdraw, 0, "remaining");
    }

    function test_onlyTheVaultCalls() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        vm.prank(operator);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorSwap(o, "");
        vm.prank(owner);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorSwap(o, "");
    }

    function test_anotherAccountsOrderIsRefused() public {
        Order memory o = _buy(address(otherAccount), 1e6, 1e6);
        vm.prank(address(vault));
        vm.expectRevert(TradingAccount.BadOrder.selector);
        account.operatorSwap(o, "");
    }

    function test_oneBadOrderDoesNotStopTheOthers() public {
        Order[] memory list = new Order[](3);
        list[0] = _buy(address(account), 1e6, 1e6);
        list[1] = _buy(address(account), 1e6, 6_000e6);
        list[2] = _buy(address(otherAccount), 1e6, 1e6);
        vm.prank(operator);
        bool[] memory accepted = vault.requestFor(list, _unsigned(list.length));
        assert(accepted[0] && !accepted[1] && accepted[2]);
        _eq(_status(list[1]), 0, "no trace");
    }

    function test_aSingleAddressMayOperate() public {
        Grant memory g = _defaultGrant(account);
        g.operator = stranger;
        _grant(account, OWNER_KEY, g);
        _acquire(address(account), MARKET, 0, 2e6);
        Order memory b = _buy(address(account), 1e6, 1e6);
        Order memory s = _sell(address(account), 2e6, 1e6);
        assert(!_requestFor(b)); // the service is not granted any more
        vm.startPrank(stranger);
        account.operatorSwap(b, "");
        account.operatorSwap(s, "");
        vm.stopPrank();
        _eq(_status(b), 1, "buy");
        _eq(_status(s), 1, "sell");
        _eq(usdc.allowance(address(account), address(vault)), 0, "no allowance is left behind");
        vm.prank(operator);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("r"));
    }

    function testFuzz_neverMoreThanTheDayAllows(uint64[8] calldata limits) public {
        uint256 total;
        for (uint256 i; i < limits.length; ++i) {
            uint128 limit = 1 + uint128(limits[i] % 6_000e6);
            bool fits = limit <= 5_000e6 && total + limit <= 8_000e6;
            assert(_requestFor(_buy(address(account), 1e6, limit)) == fits);
            if (fits) total += limit;
        }
        _eq(_usdc(address(vault)), total, "escrow");
    }
}

contract AccountWithdrawTest is Fixture {
    function setUp() public override {
        super.setUp();
        _grantDefault();
        _acquire(address(account), MARKET, 0, 2_000e6);
    }

    function _withdraw(address asset, uint256 id, uint256 amount, address to, bytes32 ref) private {
        vm.prank(operator);
        account.operatorWithdraw(asset, id, amount, to, ref);
    }

    function _refused(address asset, uint256 id, uint256 amount, address to, bytes memory reason) private {
        vm.prank(operator);
        vm.expectRevert(reason);
        account.operatorWithdraw(asset, id, amount, to, bytes32("refused"));
    }

    function test_anywhereWithinTheDay() public {
        _withdraw(address(usdc), 0, 600e6, stranger, bytes32("a"));
        _withdraw(address(token), yes, 300e6, stranger, bytes32("b"));
        _refused(
            address(usdc), 0, 100e6 + 1, stranger,
            abi.encodeWithSelector(TradingAccount.OverWithdrawCap.selector, 100e6 + 1, 100e6)
        );
        (, uint256 toWithdraw) = account.remainingToday();
        _eq(toWithdraw, 100e6, "remaining");
        _eq(_usdc(stranger), 600e6, "usdc");
        _eq(token.balanceOf(stranger, yes), 300e6, "tokens");
        vm.warp((START / 1 days + 1) * 1 days);
        _withdraw(address(usdc), 0, 1_000e6, stranger, bytes32("c"));
    }

    function test_toTheOwnerWithoutACap() public {
        _withdraw(address(usdc), 0, 5_000e6, owner, bytes32("a"));
        _withdraw(address(token), yes, 2_000e6, owner, bytes32("b"));
        (, uint256 toWithdraw) = account.remainingToday();
        _eq(toWithdraw, 1_000e6, "the owner's own withdrawals use up nothing");
    }

    function test_toTheOwnerOnly() public {
        Grant memory g = _defaultGrant(account);
        g.withdrawAnywhere = false;
        _grant(account, OWNER_KEY, g);
        _refused(
            address(usdc), 0, 1, stranger,
            abi.encodeWithSelector(TradingAccount.DestinationNotAllowed.selector)
        );
        (, uint256 toWithdraw) = account.remainingToday();
        _eq(toWithdraw, 0, "remaining");
        _withdraw(address(usdc), 0, 1e6, owner, bytes32("a"));
    }

    function test_hugeAmountsDoNotWrap() public {
        uint256 amount = uint256(type(uint64).max) + 2;
        _refused(
            address(usdc), 0, amount, stranger,
            abi.encodeWithSelector(TradingAccount.OverWithdrawCap.selector, amount, 1_000e6)
        );
    }

    function test_otherAssetsOnlyToTheOwner() public {
        ForeignErc20 erc20 = new ForeignErc20(address(account));
        ForeignErc1155 erc1155 = new ForeignErc1155(address(account));
        vm.deal(address(account), 1 ether);
        bytes memory no_ = abi.encodeWithSelector(TradingAccount.DestinationNotAllowed.selector);
        _refused(address(erc20), 0, 100, stranger, no_);
        _refused(address(erc1155), 3, 100, stranger, no_);
        _refused(address(0), 0, 1 ether, stranger, no_);
        _withdraw(address(erc20), 0, 100, owner, bytes32("a"));
        _withdraw(address(erc1155), 3, 100, owner, bytes32("b"));
        _withdraw(address(0), 0, 1 ether, owner, bytes32("c"));
        _eq(erc20.balanceOf(owner), 100, "erc20");
        _eq(erc1155.balanceOf(owner, 3), 100, "erc1155");
        _eq(owner.balance, 1 ether, "ether");
    }

    function test_aReferencePaysOnce() public {
        _withdraw(address(usdc), 0, 1e6, stranger, bytes32("a"));
        assert(account.refUsed(bytes32("a")));
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.RefUsed.selector, bytes32("a")));
        account.operatorWithdraw(address(usdc), 0, 1e6, stranger, bytes32("a"));
    }

    function test_uselessDestinationsAndAmounts() public {
        bytes memory no_ = abi.encodeWithSelector(TradingAccount.DestinationNotAllowed.selector);
        _refused(address(usdc), 0, 1, address(0), no_);
        _refused(address(usdc), 0, 1, address(account), no_);
        _refused(address(usdc), 0, 1, address(vault), no_);
        _refused(address(usdc), 0, 1, address(settlement), no_);
        _refused(address(usdc), 0, 0, owner, abi.encodeWithSelector(TradingAccount.ZeroAmount.selector));
    }

    function test_onlyOperators() public {
        vm.prank(stranger);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("a"));
        vm.prank(admin);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("a"));
    }

    function test_emits() public {
        vm.recordLogs();
        _withdraw(address(usdc), 0, 1e6, stranger, bytes32("a"));
        Vm.Log memory log = vm.getRecordedLogs()[0];
        assert(log.topics[0] == TradingAccount.Withdrawn.selector && log.emitter == address(account));
        assert(log.topics[3] == bytes32("a") && log.topics[2] == bytes32(uint256(uint160(stranger))));
    }

    function _signed(address asset, uint256 id, uint256 amount) private view returns (Withdrawal memory) {
        return Withdrawal(asset, id, amount, stranger, bytes32("signed"), vm.getBlockTimestamp() + 60);
    }

    function test_signedWithdrawalKnowsNoCap() public {
        Withdrawal memory w = _signed(address(usdc), 0, 9_000e6);
        bytes memory signature = _sign(OWNER_KEY, _withdrawalDigest(address(account), w));
        vm.prank(other);
        account.withdrawWithSig(w, signature);
        _eq(_usdc(stranger), 9_000e6, "usdc");
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.RefUsed.selector, bytes32("signed")));
        account.withdrawWithSig(w, signature);
    }

    function test_signedWithdrawalOfAnyAsset() public {
        ForeignErc1155 foreign = new ForeignErc1155(address(account));
        Withdrawal memory w = _signed(address(foreign), 3, 100);
        account.withdrawWithSig(w, _sign(OWNER_KEY, _withdrawalDigest(address(account), w)));
        _eq(foreign.balanceOf(stranger, 3), 100, "moved");
        vm.prank(owner);
        account.revoke();
        w = _signed(address(token), yes, 5e6);
        w.ref = bytes32("second");
        account.withdrawWithSig(w, _sign(OWNER_KEY, _withdrawalDigest(address(account), w)));
        _eq(token.balanceOf(stranger, yes), 5e6, "no grant is needed");
    }

    function test_signedWithdrawalIsBoundToEverything() public {
        Withdrawal memory w = _signed(address(usdc), 0, 1e6);
        bytes memory signature = _sign(OWNER_KEY, _withdrawalDigest(address(account), w));
        w.to = other;
        _signatureRefused(account, w, signature);
        w.to = stranger;
        w.amount += 1;
        _signatureRefused(account, w, signature);
        w.amount -= 1;
        w.ref = bytes32("x");
        _signatureRefused(account, w, signature);
        w.ref = bytes32("signed");
        TradingAccountFactory second = new TradingAccountFactory(vault);
        TradingAccount twin = TradingAccount(payable(second.createAccount(owner)));
        _signatureRefused(twin, w, signature);
        uint256 chain = block.chainid;
        vm.chainId(chain + 1);
        _signatureRefused(account, w, signature);
        vm.chainId(chain);
        _signatureRefused(account, w, _sign(OTHER_KEY, _withdrawalDigest(address(account), w)));
        vm.warp(w.deadline + 1);
        vm.expectRevert(TradingAccount.SignatureExpired.selector);
        account.withdrawWithSig(w, signature);
        vm.warp(w.deadline);
        account.withdrawWithSig(w, signature);
    }

    function _signatureRefused(TradingAccount a, Withdrawal memory w, bytes memory signature) private {
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        a.withdrawWithSig(w, signature);
    }
}

contract AccountExecutionTest is Fixture {
    function _transfer(address to, uint256 amount) private view returns (bytes memory) {
        Call[] memory calls = new Call[](1);
        calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (to, amount)));
        return abi.encode(calls);
    }

    function test_ownerSelfAndEntryPoint() public {
        vm.prank(owner);
        account.execute(BATCH, _transfer(stranger, 1));
        vm.prank(address(account));
        account.execute(BATCH, _transfer(stranger, 1));
        vm.prank(ENTRY_POINT);
        account.execute(BATCH, _transfer(stranger, 1));
        _eq(_usdc(stranger), 3, "moved");
    }

    function test_nobodyElse() public {
        _grantDefault();
        address[4] memory others = [operator, admin, stranger, address(vault)];
        for (uint256 i; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, others[i]));
            account.execute(BATCH, _transfer(stranger, 1));
        }
    }

    function test_modes() public {
        assert(account.supportsExecutionMode(BATCH));
        bytes32 withOpData = 0x0100000000007821000100000000000000000000000000000000000000000000;
        assert(!account.supportsExecutionMode(withOpData));
        vm.prank(owner);
        vm.expectRevert(ERC7821.UnsupportedExecutionMode.selector);
        account.execute(bytes32(0), _transfer(stranger, 1));
    }

    function test_aBatchIsAllOrNothing() public {
        Call[] memory calls = new Call[](2);
        calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (stranger, 1)));
        calls[1] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (stranger, 20_000e6)));
        vm.prank(owner);
        vm.expectRevert();
        account.execute(BATCH, abi.encode(calls));
        _eq(_usdc(stranger), 0, "nothing moved");
    }

    function test_ownerOrdersInOneTransaction() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        Call[] memory calls = new Call[](2);
        calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.approve, (address(vault), 6e6)));
        calls[1] = Call(address(vault), 0, abi.encodeCall(vault.request, (o)));
        vm.prank(owner);
        account.execute(BATCH, abi.encode(calls));
        _eq(_status(o), 1, "status");
    }

    function test_userOperations() public {
        PackedUserOperation memory op;
        op.sender = address(account);
        bytes32 hash = keccak256("a user operation");
        op.signature = _sign(OWNER_KEY, hash);
        vm.deal(address(account), 1 ether);
        vm.prank(ENTRY_POINT);
        _eq(account.validateUserOp(op, hash, 0.1 ether), 0, "valid");
        _eq(ENTRY_POINT.balance, 0.1 ether, "prefund");
        op.signature = _sign(OTHER_KEY, hash);
        vm.prank(ENTRY_POINT);
        _eq(account.validateUserOp(op, hash, 0), 1, "invalid");
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, stranger));
        account.validateUserOp(op, hash, 0);
        assert(address(account.entryPoint()) == ENTRY_POINT);
    }

    function test_signaturesAreNested() public view {
        bytes32 hash = keccak256("a message for some application");
        // a plain signature must not count: it could be replayed on the owner's other accounts
        assert(account.isValidSignature(hash, _sign(OWNER_KEY, hash)) == bytes4(0xffffffff));
        bytes32 nested = _digest(
            address(account), keccak256(abi.encode(keccak256("PersonalSign(bytes prefixed)"), hash))
        );
        assert(account.isValidSignature(hash, _sign(OWNER_KEY, nested)) == IERC1271.isValidSignature.selector);
        assert(account.isValidSignature(hash, _sign(OTHER_KEY, nested)) == bytes4(0xffffffff));
        assert(otherAccount.isValidSignature(hash, _sign(OWNER_KEY, nested)) == bytes4(0xffffffff));
    }

    function test_receives() public {
        assert(account.supportsInterface(0x4e2312e0));
        new ForeignErc1155(address(account));
        vm.deal(stranger, 1 ether);
        vm.prank(stranger);
        (bool ok,) = address(account).call{value: 1 ether}("");
        assert(ok);
    }
}

contract BatchingWalletTest is Fixture {
    function test_onlyTheAddressItselfRunsCalls() public {
        BatchingWallet wallet = new BatchingWallet();
        _fund(address(wallet), 5);
        Call[] memory calls = new Call[](2);
        calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (stranger, 2)));
        calls[1] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (other, 3)));
        address[3] memory others = [stranger, owner, ENTRY_POINT];
        for (uint256 i; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, others[i]));
            wallet.execute(BATCH, abi.encode(calls));
        }
        vm.prank(address(wallet));
        wallet.execute(BATCH, abi.encode(calls));
        _eq(_usdc(stranger), 2, "first");
        _eq(_usdc(other), 3, "second");
    }
}
