CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_address" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_owner" UNIQUE("owner_address")
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"account_id" text NOT NULL,
	"nonce" bigint NOT NULL,
	"operator" text NOT NULL,
	"valid_until" bigint NOT NULL,
	"withdraw_anywhere" boolean NOT NULL,
	"max_per_order_usdc_micros" bigint NOT NULL,
	"max_per_day_usdc_micros" bigint NOT NULL,
	"max_withdraw_per_day_usdc_micros" bigint NOT NULL,
	"signature" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"relayed_at" timestamp (3) with time zone,
	CONSTRAINT "grants_account_id_nonce_pk" PRIMARY KEY("account_id","nonce")
);
--> statement-breakpoint
CREATE TABLE "issued_grants" (
	"message_hash" text NOT NULL,
	"account_id" text NOT NULL,
	"owner_address" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "issued_grants_message_hash_account_id_pk" PRIMARY KEY("message_hash","account_id")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"hash" text NOT NULL,
	"hint" text NOT NULL,
	"scopes" text[] NOT NULL,
	"origins" text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_in_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"message_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "chain_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_operations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"attempt" integer NOT NULL,
	"args" jsonb NOT NULL,
	"state" text NOT NULL,
	"transaction_id" uuid,
	"failure" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	CONSTRAINT "chain_operations_once" UNIQUE("order_id","kind","attempt")
);
--> statement-breakpoint
CREATE TABLE "chain_signers" (
	"address" text PRIMARY KEY NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "chain_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"signer" text NOT NULL,
	"nonce" bigint NOT NULL,
	"raw" text NOT NULL,
	"hash" text NOT NULL,
	"state" text NOT NULL,
	"reverted" boolean,
	"block_number" bigint,
	"block_hash" text,
	"gas_used" bigint,
	"signed_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	CONSTRAINT "chain_transactions_nonce" UNIQUE("signer","nonce"),
	CONSTRAINT "chain_transactions_hash" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "token_transfers" (
	"transaction_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"batch_index" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"token_id" text NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"contract_micros" bigint NOT NULL,
	CONSTRAINT "token_transfers_transaction_hash_log_index_batch_index_pk" PRIMARY KEY("transaction_hash","log_index","batch_index")
);
--> statement-breakpoint
CREATE TABLE "vault_events" (
	"transaction_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"kind" text NOT NULL,
	"chain_order_id" text NOT NULL,
	"account_address" text NOT NULL,
	"client_ref" text NOT NULL,
	"filled_contract_micros" bigint,
	"quote_usdc_micros" bigint,
	"returned_micros" bigint,
	CONSTRAINT "vault_events_transaction_hash_log_index_pk" PRIMARY KEY("transaction_hash","log_index")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"order_id" uuid NOT NULL,
	"leg" text NOT NULL,
	"account" text NOT NULL,
	"asset" text NOT NULL,
	"amount_micros" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_entries_once" UNIQUE("order_id","leg","account","asset")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"full_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "catalogue_state" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"ticker" text PRIMARY KEY NOT NULL,
	"series_ticker" text NOT NULL,
	"series_title" text NOT NULL,
	"title" text NOT NULL,
	"subtitle" text NOT NULL,
	"category" text NOT NULL,
	"frequency" text NOT NULL,
	"mutually_exclusive" boolean NOT NULL,
	"icon_url_light_mode" text NOT NULL,
	"icon_url_dark_mode" text NOT NULL,
	"background_color_light_mode" text NOT NULL,
	"background_color_dark_mode" text NOT NULL,
	"total_market_count" integer DEFAULT 0 NOT NULL,
	"active_market_count" integer DEFAULT 0 NOT NULL,
	"volume_contract_micros" bigint DEFAULT 0 NOT NULL,
	"volume_24h_contract_micros" bigint DEFAULT 0 NOT NULL,
	"liquidity_usdc_micros" bigint DEFAULT 0 NOT NULL,
	"newest_at" timestamp (3) with time zone,
	"closes_next_at" timestamp (3) with time zone,
	"title_text" text NOT NULL,
	"outcome_text" text NOT NULL,
	"search" "tsvector" GENERATED ALWAYS AS (setweight(to_tsvector('simple', title_text), 'A') || setweight(to_tsvector('simple', outcome_text), 'B')) STORED,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "markets" (
	"ticker" text PRIMARY KEY NOT NULL,
	"event_ticker" text NOT NULL,
	"series_ticker" text NOT NULL,
	"title" text NOT NULL,
	"subtitle" text NOT NULL,
	"yes_sub_title" text NOT NULL,
	"no_sub_title" text NOT NULL,
	"status" text NOT NULL,
	"market_type" text NOT NULL,
	"category" text NOT NULL,
	"yes_token_id" text NOT NULL,
	"no_token_id" text NOT NULL,
	"yes_bid_micros" bigint,
	"yes_ask_micros" bigint,
	"last_price_micros" bigint,
	"previous_price_micros" bigint,
	"liquidity_usdc_micros" bigint NOT NULL,
	"volume_contract_micros" bigint NOT NULL,
	"volume_24h_contract_micros" bigint NOT NULL,
	"open_interest_contract_micros" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"open_at" timestamp (3) with time zone NOT NULL,
	"close_at" timestamp (3) with time zone NOT NULL,
	"expiration_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"payout_yes_micros" bigint,
	"result" text,
	"rules_primary" text NOT NULL,
	"rules_secondary" text NOT NULL,
	"icon_url_light_mode" text NOT NULL,
	"icon_url_dark_mode" text NOT NULL,
	"background_color_light_mode" text NOT NULL,
	"background_color_dark_mode" text NOT NULL,
	"synced_at" timestamp (3) with time zone NOT NULL,
	"history_read_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "price_history" (
	"ticker" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"yes_bid_micros" bigint,
	"yes_ask_micros" bigint,
	"last_price_micros" bigint,
	"volume_contract_micros" bigint NOT NULL,
	CONSTRAINT "price_history_ticker_at_pk" PRIMARY KEY("ticker","at")
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text PRIMARY KEY NOT NULL,
	"event_count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "series" (
	"ticker" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"category" text NOT NULL,
	"frequency" text NOT NULL,
	"tags" jsonb NOT NULL,
	"fee_type" text NOT NULL,
	"fee_multiplier_micros" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_events" (
	"sequence" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_events_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"order_id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"detail" text,
	"transaction_hash" text,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"owner_address" text NOT NULL,
	"user_address" text NOT NULL,
	"api_key_id" text NOT NULL,
	"client_id" text NOT NULL,
	"request_hash" text NOT NULL,
	"kind" text NOT NULL,
	"action" json NOT NULL,
	"status" text NOT NULL,
	"stage" text NOT NULL,
	"termination_reason" text,
	"ending_reason" text,
	"cancel_requested_at" timestamp (3) with time zone,
	"ticker" text,
	"side" text,
	"trade_action" text,
	"contract_micros" bigint,
	"limit_usdc_micros" bigint,
	"receiver_address" text,
	"expires_at" timestamp (3) with time zone,
	"client_ref" text,
	"chain_order_id" text,
	"withdraw_token" text,
	"withdraw_token_id" text,
	"withdraw_micros" bigint,
	"destination_address" text,
	"filled_contract_micros" bigint,
	"quote_usdc_micros" bigint,
	"fee_usdc_micros" bigint,
	"returned_usdc_micros" bigint,
	"returned_contract_micros" bigint,
	"transaction_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"balance_validated_at" timestamp (3) with time zone,
	"txn_filled_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"is_complete" boolean DEFAULT false NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone,
	"next_run_at" timestamp (3) with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "orders_client_id" UNIQUE("api_key_id","client_id"),
	CONSTRAINT "orders_amounts_not_negative" CHECK (
      coalesce(contract_micros, 0) >= 0 and coalesce(limit_usdc_micros, 0) >= 0 and
      coalesce(filled_contract_micros, 0) >= 0 and coalesce(quote_usdc_micros, 0) >= 0 and
      coalesce(fee_usdc_micros, 0) >= 0 and coalesce(returned_usdc_micros, 0) >= 0 and
      coalesce(returned_contract_micros, 0) >= 0),
	CONSTRAINT "orders_end_has_reason" CHECK (
      is_complete = (status in ('completed', 'failed')) and
      (status = 'failed') = (termination_reason is not null))
);
--> statement-breakpoint
CREATE TABLE "venue_attempts" (
	"client_order_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"order_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"limit_price_micros" bigint NOT NULL,
	"contract_micros" bigint NOT NULL,
	"state" text NOT NULL,
	"code" text,
	"venue_order_id" text,
	"filled_contract_micros" bigint,
	"stored_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	CONSTRAINT "venue_attempts_by_order" UNIQUE("order_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "venue_fills" (
	"fill_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"order_id" uuid NOT NULL,
	"client_order_id" text NOT NULL,
	"ticker" text NOT NULL,
	"side" text NOT NULL,
	"trade_action" text NOT NULL,
	"contract_micros" bigint NOT NULL,
	"price_micros" bigint NOT NULL,
	"fee_micros" bigint NOT NULL,
	"filled_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "issued_grants_age" ON "issued_grants" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "sign_in_nonces_expiry" ON "sign_in_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "chain_operations_ready" ON "chain_operations" USING btree ("kind","created_at") WHERE state = 'ready';--> statement-breakpoint
CREATE INDEX "chain_operations_by_transaction" ON "chain_operations" USING btree ("transaction_id");--> statement-breakpoint
CREATE UNIQUE INDEX "chain_transactions_in_flight" ON "chain_transactions" USING btree ("signer") WHERE state = 'signed';--> statement-breakpoint
CREATE INDEX "token_transfers_to" ON "token_transfers" USING btree ("to_address","token_id");--> statement-breakpoint
CREATE INDEX "token_transfers_from" ON "token_transfers" USING btree ("from_address","token_id");--> statement-breakpoint
CREATE INDEX "token_transfers_block" ON "token_transfers" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "vault_events_by_order" ON "vault_events" USING btree ("chain_order_id");--> statement-breakpoint
CREATE INDEX "vault_events_block" ON "vault_events" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "ledger_entries_by_account" ON "ledger_entries" USING btree ("account","asset");--> statement-breakpoint
CREATE INDEX "rate_limits_age" ON "rate_limits" USING btree ("full_at");--> statement-breakpoint
CREATE INDEX "events_search" ON "events" USING gin ("search");--> statement-breakpoint
CREATE INDEX "events_by_volume" ON "events" USING btree ("volume_contract_micros" DESC NULLS LAST,"ticker");--> statement-breakpoint
CREATE INDEX "events_by_volume_24h" ON "events" USING btree ("volume_24h_contract_micros" DESC NULLS LAST,"ticker");--> statement-breakpoint
CREATE INDEX "events_by_series" ON "events" USING btree ("series_ticker");--> statement-breakpoint
CREATE INDEX "markets_by_event" ON "markets" USING btree ("event_ticker","ticker");--> statement-breakpoint
CREATE INDEX "markets_by_status_volume" ON "markets" USING btree ("status","volume_contract_micros" DESC NULLS LAST,"ticker");--> statement-breakpoint
CREATE INDEX "markets_yes_token" ON "markets" USING btree ("yes_token_id");--> statement-breakpoint
CREATE INDEX "markets_no_token" ON "markets" USING btree ("no_token_id");--> statement-breakpoint
CREATE INDEX "order_events_by_order" ON "order_events" USING btree ("order_id","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_chain_order_id" ON "orders" USING btree ("chain_order_id");--> statement-breakpoint
CREATE INDEX "orders_by_account" ON "orders" USING btree ("account_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_by_key" ON "orders" USING btree ("api_key_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_by_owner" ON "orders" USING btree ("owner_address","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_due" ON "orders" USING btree ("next_run_at") WHERE not is_complete;--> statement-breakpoint
CREATE INDEX "venue_fills_by_order" ON "venue_fills" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "venue_fills_by_outcome" ON "venue_fills" USING btree ("ticker","side");