CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_address" text NOT NULL,
	"auto_redeem" boolean DEFAULT false NOT NULL,
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
CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"detail" text NOT NULL,
	"internal_detail" text,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "api_key_usage" (
	"api_key_id" text NOT NULL,
	"day" date NOT NULL,
	"requests" bigint NOT NULL,
	"refused" bigint NOT NULL,
	CONSTRAINT "api_key_usage_api_key_id_day_pk" PRIMARY KEY("api_key_id","day")
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
	"ip_ranges" text[] DEFAULT '{}' NOT NULL,
	"owner_address" text,
	"previous_hash" text,
	"previous_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_address" text NOT NULL,
	"user_agent" text NOT NULL,
	"ip" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
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
CREATE TABLE "sign_in_secrets" (
	"secret" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "limit_guards" (
	"scope" text NOT NULL,
	"subject" text NOT NULL,
	"touched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "limit_guards_scope_subject_pk" PRIMARY KEY("scope","subject")
);
--> statement-breakpoint
CREATE TABLE "trading_limits" (
	"scope" text NOT NULL,
	"subject" text NOT NULL,
	"max_order_usdc_micros" bigint,
	"max_day_usdc_micros" bigint,
	"max_exposure_usdc_micros" bigint,
	"max_open_orders" integer,
	"set_by" text NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trading_limits_scope_subject_pk" PRIMARY KEY("scope","subject")
);
--> statement-breakpoint
CREATE TABLE "block_times" (
	"block_number" bigint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "chain_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"recent_blocks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reread_from" bigint,
	"is_rereading" boolean DEFAULT false NOT NULL,
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
CREATE TABLE "chain_replacements" (
	"hash" text PRIMARY KEY NOT NULL,
	"transaction_id" uuid NOT NULL,
	"raw" text NOT NULL,
	"signed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_signers" (
	"address" text PRIMARY KEY NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone,
	"lease_requested_at" timestamp (3) with time zone,
	"requester_key_count" integer
);
--> statement-breakpoint
CREATE TABLE "chain_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"signer" text NOT NULL,
	"nonce" bigint NOT NULL,
	"raw" text NOT NULL,
	"hash" text NOT NULL,
	"mined_hash" text,
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
CREATE TABLE "orphaned_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"chain_order_id" text NOT NULL,
	"kind" text NOT NULL,
	"order" jsonb NOT NULL,
	"state" text NOT NULL,
	"request_hash" text NOT NULL,
	"return_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	CONSTRAINT "orphaned_requests_chain_order_id" UNIQUE("chain_order_id")
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
CREATE TABLE "terms_acceptances" (
	"owner_address" text NOT NULL,
	"version" text NOT NULL,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "terms_acceptances_owner_address_version_pk" PRIMARY KEY("owner_address","version")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"order_id" uuid NOT NULL,
	"posting" text NOT NULL,
	"account" text NOT NULL,
	"asset" text NOT NULL,
	"amount_micros" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_entries_once" UNIQUE("order_id","posting","account","asset")
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
	"status_mask" integer DEFAULT 0 NOT NULL,
	"ranked_at" timestamp (3) with time zone,
	"title_text" text NOT NULL,
	"outcome_text" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"metadata" jsonb,
	"metadata_read_at" timestamp (3) with time zone,
	"milestones" jsonb,
	"content_hash" text,
	"listing_hash" text
);
--> statement-breakpoint
CREATE TABLE "market_changes" (
	"sequence" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "market_changes_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tickers" text[],
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
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
	"history_read_at" timestamp (3) with time zone,
	"final_seen_at" timestamp (3) with time zone,
	"content_hash" text
);
--> statement-breakpoint
CREATE TABLE "price_points" (
	"ticker" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"yes_bid_micros" bigint,
	"yes_ask_micros" bigint,
	"last_price_micros" bigint,
	"volume_contract_micros" bigint NOT NULL,
	CONSTRAINT "price_points_ticker_at_pk" PRIMARY KEY("ticker","at")
) PARTITION BY RANGE ("at");
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
CREATE TABLE "admins" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"hash" text NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "admins_name" UNIQUE("name"),
	CONSTRAINT "admins_hash" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"reason" text NOT NULL,
	"before" jsonb,
	"after" jsonb
);
--> statement-breakpoint
CREATE TABLE "database_restores" (
	"id" uuid PRIMARY KEY NOT NULL,
	"noticed_at" timestamp (3) with time zone NOT NULL,
	"how" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "exchange_attempts" (
	"client_order_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"order_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"purpose" text DEFAULT 'order' NOT NULL,
	"limit_price_micros" bigint NOT NULL,
	"contract_micros" bigint NOT NULL,
	"state" text NOT NULL,
	"code" text,
	"exchange_order_id" text,
	"filled_contract_micros" bigint,
	"stored_at" timestamp (3) with time zone NOT NULL,
	"responded_at" timestamp (3) with time zone,
	CONSTRAINT "exchange_attempts_by_order" UNIQUE("order_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "exchange_fills" (
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
	"quote_limit_usdc_micros" bigint,
	"receiver_address" text,
	"expires_at" timestamp (3) with time zone,
	"client_ref" text,
	"chain_order_id" text,
	"is_redemption" boolean DEFAULT false NOT NULL,
	"withdraw_token" text,
	"withdraw_token_id" text,
	"withdraw_micros" bigint,
	"destination_address" text,
	"withdraw_signature" text,
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
	"is_unwinding" boolean DEFAULT false NOT NULL,
	"room_requested_at" timestamp (3) with time zone,
	"room_reserved_at" timestamp (3) with time zone,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone,
	"next_run_at" timestamp (3) with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"traceparent" text,
	"without_token" boolean DEFAULT false NOT NULL,
	"anonymous" boolean DEFAULT false NOT NULL,
	CONSTRAINT "orders_amounts_not_negative" CHECK (
      coalesce(contract_micros, 0) >= 0 and coalesce(quote_limit_usdc_micros, 0) >= 0 and
      coalesce(filled_contract_micros, 0) >= 0 and coalesce(quote_usdc_micros, 0) >= 0 and
      coalesce(fee_usdc_micros, 0) >= 0 and coalesce(returned_usdc_micros, 0) >= 0 and
      coalesce(returned_contract_micros, 0) >= 0),
	CONSTRAINT "orders_end_has_reason" CHECK (
      is_complete = (status in ('completed', 'failed')) and
      (status = 'failed') = (termination_reason is not null))
);
--> statement-breakpoint
CREATE TABLE "notification_attempts" (
	"delivery_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"status_code" integer,
	"duration_ms" integer NOT NULL,
	"error" text,
	"response_text" text NOT NULL,
	CONSTRAINT "notification_attempts_once" UNIQUE("delivery_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "notification_cursor" (
	"name" text PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"mark" bigint,
	"mark_transaction" text
);
--> statement-breakpoint
CREATE TABLE "notification_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "notification_deliveries_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel" text NOT NULL,
	"target_id" text NOT NULL,
	"message_id" text NOT NULL,
	"type" text NOT NULL,
	"topic" text NOT NULL,
	"status" text NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"round_count" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	CONSTRAINT "notification_deliveries_once" UNIQUE("target_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "notification_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"channel" text NOT NULL,
	"source" text NOT NULL,
	"type" text NOT NULL,
	"topic" text NOT NULL,
	"payload" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_messages_source" UNIQUE("channel","source")
);
--> statement-breakpoint
CREATE TABLE "notified_settlements" (
	"ticker" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_address" text NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"last_delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_subscriptions_endpoint" UNIQUE("endpoint")
);
--> statement-breakpoint
CREATE TABLE "market_suspensions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ticker" text NOT NULL,
	"reason" text NOT NULL,
	"suspended_by" text NOT NULL,
	"suspended_at" timestamp (3) with time zone NOT NULL,
	"lifted_at" timestamp (3) with time zone,
	"lifted_by" text
);
--> statement-breakpoint
CREATE TABLE "reconciliation_baselines" (
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"amount_micros" bigint NOT NULL,
	"note" text NOT NULL,
	"accepted_by" text NOT NULL,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reconciliation_baselines_kind_subject_pk" PRIMARY KEY("kind","subject")
);
--> statement-breakpoint
CREATE TABLE "reconciliation_lease" (
	"name" text PRIMARY KEY NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "reconciliation_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"differences" jsonb NOT NULL,
	"suspicions" jsonb NOT NULL,
	"cost" jsonb NOT NULL,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "market_settlements" (
	"ticker" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"market_key" text NOT NULL,
	"payout_yes_micros" bigint NOT NULL,
	"state" text NOT NULL,
	"finalizable_at" timestamp (3) with time zone,
	"collateral_usdc_micros" bigint,
	"transaction_hash" text,
	"settled_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"final_at" timestamp (3) with time zone,
	"auto_redeemed_at" timestamp (3) with time zone,
	CONSTRAINT "market_settlements_id" UNIQUE("id"),
	CONSTRAINT "market_settlements_key" UNIQUE("market_key")
);
--> statement-breakpoint
CREATE TABLE "pending_proposals" (
	"ticker" text PRIMARY KEY NOT NULL,
	"payout_yes_micros" bigint NOT NULL,
	"proposed_by" text NOT NULL,
	"reason" text NOT NULL,
	"proposed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "redemptions" (
	"transaction_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"holder" text NOT NULL,
	"market_key" text NOT NULL,
	"outcome" integer NOT NULL,
	"contract_micros" bigint NOT NULL,
	"payout_usdc_micros" bigint NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "redemptions_transaction_hash_log_index_pk" PRIMARY KEY("transaction_hash","log_index")
);
--> statement-breakpoint
CREATE TABLE "settlement_events" (
	"transaction_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"kind" text NOT NULL,
	"market_key" text NOT NULL,
	"payout_yes_micros" bigint,
	"payout_no_micros" bigint,
	"finalizable_at" bigint,
	"collateral_usdc_micros" bigint,
	CONSTRAINT "settlement_events_transaction_hash_log_index_pk" PRIMARY KEY("transaction_hash","log_index")
);
--> statement-breakpoint
CREATE TABLE "chain_postings" (
	"posting_id" uuid PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"block_number" bigint NOT NULL,
	CONSTRAINT "chain_postings_reference" UNIQUE("reference")
);
--> statement-breakpoint
CREATE TABLE "usdc_accounts" (
	"address" text PRIMARY KEY NOT NULL,
	"opened_at_block" bigint NOT NULL,
	"opening_usdc_micros" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usdc_transfers" (
	"transaction_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"usdc_micros" bigint NOT NULL,
	CONSTRAINT "usdc_transfers_transaction_hash_log_index_pk" PRIMARY KEY("transaction_hash","log_index")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_events" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"account_address" text NOT NULL,
	"transaction_hash" text NOT NULL,
	"block_number" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"api_key_id" text,
	"owner_address" text,
	"url" text NOT NULL,
	"description" text NOT NULL,
	"event_types" text[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"last_delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhooks_one_subject" CHECK ((api_key_id is null) <> (owner_address is null)),
	CONSTRAINT "webhooks_disabled_has_reason" CHECK (enabled = (disabled_reason is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_open" ON "alerts" USING btree ("kind","subject") WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX "alerts_by_time" ON "alerts" USING btree ("raised_at");--> statement-breakpoint
CREATE INDEX "api_key_usage_age" ON "api_key_usage" USING btree ("day");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_previous_hash" ON "api_keys" USING btree ("previous_hash");--> statement-breakpoint
CREATE INDEX "api_keys_by_owner" ON "api_keys" USING btree ("owner_address","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "sessions_by_owner" ON "sessions" USING btree ("owner_address","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_nonces_expiry" ON "sign_in_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "block_times_unread" ON "block_times" USING btree ("block_number") WHERE at is null;--> statement-breakpoint
CREATE INDEX "chain_operations_ready" ON "chain_operations" USING btree ("kind","created_at") WHERE state = 'ready';--> statement-breakpoint
CREATE INDEX "chain_operations_by_transaction" ON "chain_operations" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "chain_operations_open_grants" ON "chain_operations" USING btree ("account_id") WHERE kind = 'grant' and state in ('ready', 'sent');--> statement-breakpoint
CREATE INDEX "chain_replacements_by_transaction" ON "chain_replacements" USING btree ("transaction_id");--> statement-breakpoint
CREATE UNIQUE INDEX "chain_transactions_in_flight" ON "chain_transactions" USING btree ("signer") WHERE state = 'signed';--> statement-breakpoint
CREATE INDEX "chain_transactions_unfinished" ON "chain_transactions" USING btree ("signer","nonce") WHERE state in ('signed', 'lost');--> statement-breakpoint
CREATE INDEX "orphaned_requests_open" ON "orphaned_requests" USING btree ("created_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "token_transfers_to" ON "token_transfers" USING btree ("to_address","token_id");--> statement-breakpoint
CREATE INDEX "token_transfers_from" ON "token_transfers" USING btree ("from_address","token_id");--> statement-breakpoint
CREATE INDEX "token_transfers_block" ON "token_transfers" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "vault_events_by_order" ON "vault_events" USING btree ("chain_order_id");--> statement-breakpoint
CREATE INDEX "vault_events_block" ON "vault_events" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "vault_events_requested" ON "vault_events" USING btree ("block_number") WHERE kind = 'requested';--> statement-breakpoint
CREATE INDEX "ledger_entries_by_account" ON "ledger_entries" USING btree ("account","asset");--> statement-breakpoint
CREATE INDEX "rate_limits_age" ON "rate_limits" USING btree ("full_at");--> statement-breakpoint
CREATE INDEX "events_by_ranked_at" ON "events" USING btree ("ranked_at");--> statement-breakpoint
CREATE INDEX "events_by_volume" ON "events" USING btree ("volume_contract_micros" DESC NULLS LAST,"ticker");--> statement-breakpoint
CREATE INDEX "events_by_volume_24h" ON "events" USING btree ("volume_24h_contract_micros" DESC NULLS LAST,"ticker");--> statement-breakpoint
CREATE INDEX "events_by_series" ON "events" USING btree ("series_ticker");--> statement-breakpoint
CREATE INDEX "market_changes_age" ON "market_changes" USING btree ("at");--> statement-breakpoint
CREATE INDEX "markets_final_seen" ON "markets" USING btree ("final_seen_at","ticker") WHERE final_seen_at is not null;--> statement-breakpoint
CREATE INDEX "markets_by_event" ON "markets" USING btree ("event_ticker","ticker");--> statement-breakpoint
CREATE INDEX "markets_by_status_volume" ON "markets" USING btree ("status","volume_contract_micros" DESC NULLS LAST,"ticker");--> statement-breakpoint
CREATE INDEX "markets_yes_token" ON "markets" USING hash ("yes_token_id");--> statement-breakpoint
CREATE INDEX "markets_no_token" ON "markets" USING hash ("no_token_id");--> statement-breakpoint
CREATE INDEX "audit_log_by_time" ON "audit_log" USING btree ("at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_by_subject" ON "audit_log" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "exchange_fills_by_order" ON "exchange_fills" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "exchange_fills_by_outcome" ON "exchange_fills" USING btree ("ticker","side");--> statement-breakpoint
CREATE INDEX "order_events_by_order" ON "order_events" USING btree ("order_id","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_client_id_of_owner" ON "orders" USING btree ("api_key_id","client_id","owner_address","anonymous");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_chain_order_id" ON "orders" USING btree ("chain_order_id");--> statement-breakpoint
CREATE INDEX "orders_by_account" ON "orders" USING btree ("account_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_by_key" ON "orders" USING btree ("api_key_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_by_owner" ON "orders" USING btree ("owner_address","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_by_market" ON "orders" USING btree ("ticker");--> statement-breakpoint
CREATE INDEX "orders_received" ON "orders" USING btree ("receiver_address") WHERE trade_action = 'buy' and is_complete;--> statement-breakpoint
CREATE INDEX "orders_due" ON "orders" USING btree ("next_run_at") WHERE not is_complete;--> statement-breakpoint
CREATE INDEX "orders_unwinding" ON "orders" USING btree ("next_run_at") WHERE is_unwinding;--> statement-breakpoint
CREATE INDEX "orders_open_by_market" ON "orders" USING btree ("ticker") WHERE not is_complete;--> statement-breakpoint
CREATE INDEX "notification_deliveries_due" ON "notification_deliveries" USING btree ("channel","next_attempt_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "notification_deliveries_first" ON "notification_deliveries" USING btree ("target_id","topic","sequence") WHERE status = 'pending' and attempt_count = 0;--> statement-breakpoint
CREATE INDEX "notification_deliveries_by_target" ON "notification_deliveries" USING btree ("target_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "notification_deliveries_by_message" ON "notification_deliveries" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "notification_messages_age" ON "notification_messages" USING btree ("channel","created_at");--> statement-breakpoint
CREATE INDEX "push_subscriptions_by_owner" ON "push_subscriptions" USING btree ("owner_address");--> statement-breakpoint
CREATE INDEX "market_suspensions_open" ON "market_suspensions" USING btree ("ticker") WHERE lifted_at is null;--> statement-breakpoint
CREATE INDEX "reconciliation_runs_by_time" ON "reconciliation_runs" USING btree ("checked_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "market_settlements_by_state" ON "market_settlements" USING btree ("state");--> statement-breakpoint
CREATE INDEX "redemptions_by_holder" ON "redemptions" USING btree ("holder","market_key","outcome");--> statement-breakpoint
CREATE INDEX "redemptions_block" ON "redemptions" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "settlement_events_by_market" ON "settlement_events" USING btree ("market_key","block_number","log_index");--> statement-breakpoint
CREATE INDEX "settlement_events_block" ON "settlement_events" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "chain_postings_block" ON "chain_postings" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "usdc_accounts_block" ON "usdc_accounts" USING btree ("opened_at_block");--> statement-breakpoint
CREATE INDEX "usdc_transfers_from" ON "usdc_transfers" USING btree ("from_address");--> statement-breakpoint
CREATE INDEX "usdc_transfers_to" ON "usdc_transfers" USING btree ("to_address");--> statement-breakpoint
CREATE INDEX "usdc_transfers_block" ON "usdc_transfers" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "withdrawal_events_block" ON "withdrawal_events" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "webhooks_by_key" ON "webhooks" USING btree ("api_key_id");--> statement-breakpoint
CREATE INDEX "webhooks_by_owner" ON "webhooks" USING btree ("owner_address");--> statement-breakpoint
-- An order is updated some eight times. Where the page has space for the new version and no indexed
-- column changes, PostgreSQL writes to no index (HOT update).
ALTER TABLE "orders" SET (fillfactor = 50);--> statement-breakpoint
CREATE TABLE "price_points_default" PARTITION OF "price_points" DEFAULT;--> statement-breakpoint
-- Partitions price_points by week: creates those of the next three weeks, and drops those that are
-- older than kept_days, of which one point a day stays for two years. It runs with the rights of the
-- tables' owner, because the service's own roles may create no tables.
CREATE FUNCTION maintain_price_partitions(kept_days integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  week date;
  part text;
  changed boolean := false;
BEGIN
  FOR week IN
    SELECT generate_series(date_trunc('week', today), today + 21, interval '7 days')::date
  LOOP
    part := 'price_points_' || to_char(week, 'IYYY"w"IW');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    changed := true;
    EXECUTE format('CREATE TABLE %I (LIKE price_points INCLUDING ALL)', part);
    EXECUTE format(
      'WITH moved AS (DELETE FROM price_points_default WHERE at >= %1$L AND at < %2$L RETURNING *)
       INSERT INTO %3$I SELECT * FROM moved',
      week || ' 00:00+00', (week + 7) || ' 00:00+00', part);
    EXECUTE format('ALTER TABLE price_points ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      part, week || ' 00:00+00', (week + 7) || ' 00:00+00');
  END LOOP;

  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'price_points'::regclass AND c.relname ~ '^price_points_\d{4}w\d{2}$'
      AND to_date(substr(c.relname, 14), 'IYYY"w"IW') + 7 <= today - kept_days
  LOOP
    changed := true;
    EXECUTE format('ALTER TABLE price_points DETACH PARTITION %I', part);
    EXECUTE format(
      'INSERT INTO price_points_default
       SELECT DISTINCT ON (ticker, date_trunc(''day'', at AT TIME ZONE ''UTC'')) * FROM %I
       ORDER BY ticker, date_trunc(''day'', at AT TIME ZONE ''UTC''), at DESC ON CONFLICT DO NOTHING', part);
    EXECUTE format('DROP TABLE %I', part);
  END LOOP;

  IF changed THEN
    DELETE FROM price_points_default WHERE at < now() - interval '2 years';
  END IF;
END $$;--> statement-breakpoint
SELECT maintain_price_partitions(45);--> statement-breakpoint
-- No role, whatever its grants, changes or removes an entry of the audit log.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append only' USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON "audit_log"
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON "audit_log"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();--> statement-breakpoint
-- All web processes sign the messages of a sign-in with it.
INSERT INTO "sign_in_secrets" VALUES (gen_random_uuid()::text || gen_random_uuid()::text);
