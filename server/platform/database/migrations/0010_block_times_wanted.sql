-- Blocks that something was stored of before their times were.
INSERT INTO "block_times" ("block_number")
SELECT "block_number" FROM "token_transfers"
UNION SELECT "block_number" FROM "vault_events"
UNION SELECT "block_number" FROM "redemptions"
UNION SELECT "block_number" FROM "usdc_transfers"
UNION SELECT "block_number" FROM "withdrawal_events"
UNION SELECT "opened_at_block" FROM "usdc_accounts"
ON CONFLICT DO NOTHING;
