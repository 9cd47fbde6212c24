export function developerSnippets(baseUrl: string) {
  const markets = `${baseUrl}/v1/prediction-market/markets`;
  return {
    markets: `curl -s -H "x-api-key: $API_KEY" '${markets}?limit=3'`,
    quote: `curl -s -H "x-api-key: $API_KEY" "${markets}/$TICKER/quote?side=yes&contracts=10"`,
    signIn: `curl -s -H "x-api-key: $API_KEY" "${baseUrl}/v1/auth/message?address=$OWNER"
# sign .message with the owner's wallet (personal_sign), then
curl -s -X POST ${baseUrl}/v1/auth/token \\
  -H "x-api-key: $API_KEY" -H 'content-type: application/json' \\
  -d '{"message": "…", "signature": "0x…"}'`,
    order: `curl -s -X POST ${baseUrl}/v1/order \\
  -H "x-api-key: $API_KEY" -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' \\
  -d '{
    "orderType": "MarketOrder",
    "order": {
      "orderType": "BUY",
      "baseToken": {"type": "venue", "data": {"marketId": "'$TICKER'", "side": "yes"}},
      "quoteToken": {"type": "chain", "data": {"tokenId": "0", "chainId": 8453, "contractAddress": "'$USDC'"}},
      "baseQuantity": "10",
      "maxQuoteQuantityIn": "6.2"
    },
    "chainId": 8453,
    "clientId": "my-order-1",
    "userAddress": "'$OWNER'"
  }'`,
    follow: `curl -s -H "x-api-key: $API_KEY" ${baseUrl}/v1/order/by-client-id/my-order-1`,
  };
}
