// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OutcomeToken} from "../src/OutcomeToken.sol";
import {Settlement} from "../src/Settlement.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Backing, Fill, Order} from "../src/SwapTypes.sol";
import {TestUsdc} from "../src/TestUsdc.sol";
import {Batch, Call} from "../src/SignedBatch.sol";
import {Grant, TradingAccount, Withdrawal} from "../src/TradingAccount.sol";
import {TradingAccountFactory} from "../src/TradingAccountFactory.sol";
import {Vm} from "./Vm.sol";

/// The contracts as deployed, with one address per role and two owners with accounts.
abstract contract Fixture {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    uint256 internal constant ONE = 1e6;
    bytes32 internal constant TREASURY_ROLE = keccak256("TREASURY");
    bytes32 internal constant MARKET = keccak256("KXTEST-1");
    bytes32 internal constant OTHER_MARKET = keccak256("KXTEST-2");
    uint256 internal constant OWNER_KEY = 0xA11CE;
    uint256 internal constant OTHER_KEY = 0xB0B;
    uint256 internal constant START = 1_800_000_000;
    /// Of ERC-4337, version 0.8.
    address internal constant ENTRY_POINT = 0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108;

    address internal admin = address(0xAD);
    address internal operator = address(0x09);
    address internal attestor = address(0xA7);
    address internal resolver = address(0x4E);
    address internal pauser = address(0xFA);
    address internal treasury = address(0x7EA);
    address internal stranger = address(0x57A);
    address internal owner;
    address internal other;

    TestUsdc internal usdc;
    SwapVault internal vault;
    Settlement internal settlement;
    OutcomeToken internal token;
    TradingAccountFactory internal factory;
    TradingAccount internal account;
    TradingAccount internal otherAccount;

    uint256 internal yes;
    uint256 internal no;
    uint128 private salts;

    function setUp() public virtual {
        vm.warp(START);
        owner = vm.addr(OWNER_KEY);
        other = vm.addr(OTHER_KEY);
        usdc = TestUsdc(_create("TestUsdc", abi.encode(admin)));
        vault = SwapVault(_create("SwapVault", abi.encode(usdc, admin)));
        token = vault.outcomeToken();
        settlement = vault.settlement();
        factory = TradingAccountFactory(_create("TradingAccountFactory", abi.encode(vault)));
        yes = vault.tokenIdOf(MARKET, 0);
        no = vault.tokenIdOf(MARKET, 1);

        vm.startPrank(admin);
        vault.grantRole(vault.OPERATOR_ROLE(), operator);
        vault.grantRole(vault.ATTESTOR_ROLE(), attestor);
        vault.grantRole(vault.RESOLVER_ROLE(), resolver);
        vault.grantRole(vault.PAUSER_ROLE(), pauser);
        vault.grantRole(TREASURY_ROLE, treasury);
        vault.setBuckets(1_000_000e6, 1_000_000e6, 1_000_000e6);
        token.setUriBase("https://crossbook.example");
        usdc.mint(treasury, 1_000_000e6);
        vm.stopPrank();
        vm.startPrank(treasury);
        vault.acceptTreasury();
        usdc.approve(address(vault), type(uint256).max);
        vm.stopPrank();

        account = TradingAccount(payable(factory.createAccount(owner)));
        otherAccount = TradingAccount(payable(factory.createAccount(other)));
        _fund(address(account), 10_000e6);
        _fund(address(otherAccount), 10_000e6);
        _attest(MARKET, 100_000e6);
        _attest(OTHER_MARKET, 100_000e6);
        vm.startPrank(attestor);
        settlement.registerMarket("KXTEST-1");
        settlement.registerMarket("KXTEST-2");
        vm.stopPrank();
    }

    /// As compiled with the tests; or, where the run names a folder of them, as committed.
    function _create(string memory name, bytes memory arguments) internal returns (address created) {
        string memory committed = vm.envOr("COMMITTED_CODE", string(""));
        string memory artefact = bytes(committed).length > 0
            ? string.concat(committed, "/", name, ".json")
            : string.concat(name, ".sol:", name);
        bytes memory code = abi.encodePacked(vm.getCode(artefact), arguments);
        assembly {
            created := create(0, add(code, 0x20), mload(code))
        }
        require(created != address(0), "not deployed");
    }

    // ------------------------------------------------------------ money and backing

    function _fund(address to, uint256 amount) internal {
        vm.prank(admin);
        usdc.mint(to, amount);
    }

    /// For both sides, without a floor.
    function _attest(bytes32 market, uint256 bought) internal {
        _attest(market, bought, 0);
    }

    function _attest(bytes32 market, uint256 bought, uint256 floor) internal {
        for (uint8 outcome; outcome < 2; ++outcome) {
            Backing[] memory one = _backing(vault.tokenIdOf(market, outcome), bought, floor);
            vm.prank(attestor);
            vault.attestBacking(one);
        }
    }

    function _backing(uint256 tokenId, uint256 bought, uint256 floor) internal pure returns (Backing[] memory list) {
        list = new Backing[](1);
        list[0] = Backing(tokenId, uint56(bought), uint24(floor));
    }

    // ------------------------------------------------------------ grants

    function _defaultGrant(TradingAccount a) internal view returns (Grant memory) {
        return Grant({
            operator: address(vault),
            validUntil: uint48(vm.getBlockTimestamp() + 30 days),
            withdrawAnywhere: true,
            maxPerOrder: 5_000e6,
            maxPerDay: 8_000e6,
            maxWithdrawPerDay: 1_000e6,
            nonce: address(a).code.length == 0 ? 0 : a.grantNonce(),
            keyKind: 0,
            key: 0
        });
    }

    function _grantDigest(address a, Grant memory g) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "Grant(address operator,uint48 validUntil,bool withdrawAnywhere,uint64 maxPerOrder,uint64 maxPerDay,uint64 maxWithdrawPerDay,uint64 nonce,uint8 keyKind,bytes32 key)"
        );
        return _digest(a, keccak256(abi.encode(typeHash, g)));
    }

    function _withdrawalDigest(address a, Withdrawal memory w) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "Withdrawal(address token,uint256 tokenId,uint256 amount,address to,bytes32 ref,uint256 deadline)"
        );
        return _digest(a, keccak256(abi.encode(typeHash, w)));
    }

    function _batchDigest(address a, Batch memory b) internal view returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](b.calls.length);
        for (uint256 i; i < hashes.length; ++i) {
            hashes[i] = keccak256(
                abi.encode(
                    keccak256("Call(address to,uint256 value,bytes data)"),
                    b.calls[i].to,
                    b.calls[i].value,
                    keccak256(b.calls[i].data)
                )
            );
        }
        bytes32 typeHash = keccak256(
            "Batch(Call[] calls,uint256 gas,uint64 nonce,uint256 deadline)Call(address to,uint256 value,bytes data)"
        );
        bytes32 calls = keccak256(abi.encodePacked(hashes));
        return _digest(a, keccak256(abi.encode(typeHash, calls, b.gas, b.nonce, b.deadline)));
    }

    function _orderDigest(Order memory o) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "Order(address account,address receiver,bytes32 marketKey,uint8 outcome,bool isBuy,uint128 quantity,uint128 quoteLimit,uint64 expiry,bytes32 clientRef,uint128 salt)"
        );
        return _digest(o.account, keccak256(abi.encode(typeHash, o)));
    }

    function _digest(address a, bytes32 structHash) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Crossbook Account"),
                keccak256("1"),
                block.chainid,
                a
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    function _sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function _grant(TradingAccount a, uint256 key, Grant memory g) internal {
        a.setGrant(g, _sign(key, _grantDigest(address(a), g)));
    }

    function _grantDefault() internal {
        _grant(account, OWNER_KEY, _defaultGrant(account));
        _grant(otherAccount, OTHER_KEY, _defaultGrant(otherAccount));
    }

    // ------------------------------------------------------------ orders

    function _buy(address a, uint128 quantity, uint128 limit) internal returns (Order memory) {
        return _order(a, MARKET, 0, true, quantity, limit);
    }

    function _sell(address a, uint128 quantity, uint128 limit) internal returns (Order memory) {
        return _order(a, MARKET, 0, false, quantity, limit);
    }

    function _order(address a, bytes32 market, uint8 outcome, bool isBuy, uint128 quantity, uint128 limit)
        internal
        returns (Order memory)
    {
        return Order({
            account: a,
            receiver: a,
            marketKey: market,
            outcome: outcome,
            isBuy: isBuy,
            quantity: quantity,
            quoteLimit: limit,
            expiry: uint64(vm.getBlockTimestamp() + 10 minutes),
            clientRef: bytes32("ref"),
            salt: ++salts
        });
    }

    /// Opens an order as an account without a grant would: allowance first, then the request.
    function _request(Order memory o) internal returns (bytes32) {
        if (o.isBuy) {
            vm.prank(o.account);
            usdc.approve(address(vault), o.quoteLimit);
        }
        vm.prank(o.account);
        return vault.request(o);
    }

    /// The only fill of an order, or its last one.
    function _last(Order memory o, uint128 filledTotal, uint128 quoteTotal) internal pure returns (Fill memory) {
        return Fill(o, uint104(filledTotal), uint104(quoteTotal), true);
    }

    function _part(Order memory o, uint128 filledTotal, uint128 quoteTotal) internal pure returns (Fill memory) {
        return Fill(o, uint104(filledTotal), uint104(quoteTotal), false);
    }

    function _fillPart(Order memory o, uint128 filledTotal, uint128 quoteTotal) internal {
        vm.prank(operator);
        vault.fill(_part(o, filledTotal, quoteTotal));
    }

    function _fill(Order memory o, uint128 quantity, uint128 quote) internal {
        vm.prank(operator);
        vault.fill(_last(o, quantity, quote));
    }

    /// Gives an address outcome tokens the honest way.
    function _acquire(address a, bytes32 market, uint8 outcome, uint128 quantity) internal {
        _fund(a, quantity);
        Order memory o = _order(a, market, outcome, true, quantity, quantity);
        _request(o);
        _fill(o, quantity, quantity);
    }

    function _settle(bytes32 market, uint256 payoutYes, uint256 payoutNo) internal {
        _propose(market, payoutYes, payoutNo);
        vm.warp(vm.getBlockTimestamp() + vault.parameters().settlementDelay);
        _finalize(market);
    }

    function _propose(bytes32 market, uint256 payoutYes, uint256 payoutNo) internal {
        vm.prank(resolver);
        settlement.proposeSettlement(market, payoutYes, payoutNo);
    }

    function _finalize(bytes32 market) internal {
        vm.prank(operator);
        settlement.finalizeSettlement(market);
    }

    function _one(Order memory o) internal pure returns (Order[] memory list) {
        list = new Order[](1);
        list[0] = o;
    }

    function _requestFor(Order memory o) internal returns (bool) {
        return _requestSigned(o, "");
    }

    function _requestSigned(Order memory o, bytes memory signature) internal returns (bool) {
        bytes[] memory signatures = _unsigned(1);
        signatures[0] = signature;
        vm.prank(operator);
        return vault.requestFor(_one(o), signatures)[0];
    }

    function _unsigned(uint256 count) internal pure returns (bytes[] memory) {
        return new bytes[](count);
    }

    function _status(Order memory o) internal view returns (uint8) {
        return vault.statusOf(vault.orderIdOf(o));
    }

    // ------------------------------------------------------------ assertions

    error NotEqual(string what, uint256 actual, uint256 expected);

    function _eq(uint256 actual, uint256 expected, string memory what) internal pure {
        if (actual != expected) revert NotEqual(what, actual, expected);
    }

    function _usdc(address a) internal view returns (uint256) {
        return usdc.balanceOf(a);
    }
}
