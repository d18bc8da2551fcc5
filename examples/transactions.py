#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Made-up payments between 5000 accounts in five groups, as three CSV files in the current folder:
transactions.csv, accounts.csv with gaps, and labels.csv with the group of every tenth account.
"""
import datetime
import random

ACCOUNTS, PAYMENTS, CHECKED = 5000, 20000, 500
GROUPS = ("retail", "salary", "travel", "trade", "broker")
COUNTRIES = ("DE", "FR", "ES", "PL", "IT", "NL")

rng = random.Random(7)
group = [rng.randrange(len(GROUPS)) for _ in range(ACCOUNTS)]
members = [[i for i in range(ACCOUNTS) if group[i] == g] for g in range(len(GROUPS))]
name = [f"ACC-{number}" for number in rng.sample(range(10000, 99999), ACCOUNTS)]
start = datetime.datetime(2024, 1, 1)

# Three payments of five go anywhere and are small; the others stay in the group and are larger.
with open("transactions.csv", "w") as f:
    f.write("time,from_account,to_account,amount\n")
    for _ in range(PAYMENTS):
        payer = rng.randrange(ACCOUNTS)
        inside = rng.random() < 0.4
        payee = rng.choice(members[group[payer]]) if inside else rng.randrange(ACCOUNTS)
        amount = rng.lognormvariate(3.8 if inside else 2.5, 0.7)
        time = start + datetime.timedelta(minutes=rng.randrange(366 * 24 * 60))
        f.write(f"{time:%Y-%m-%d %H:%M},{name[payer]},{name[payee]},{amount:.2f}\n")

# What is known of an account says something of its group, and is often missing.
with open("accounts.csv", "w") as f:
    f.write("account,country,opened,balance,premium\n")
    for i in range(ACCOUNTS):
        g = group[i]
        country = COUNTRIES[g] if rng.random() < 0.4 else rng.choice(COUNTRIES)
        opened = start - datetime.timedelta(days=rng.randrange(30, 900 + 500 * g))
        balance = f"{rng.lognormvariate(7 + 0.3 * (g % 3), 0.6):.2f}" if rng.random() < 0.8 else ""
        premium = ("yes" if rng.random() < 0.15 + 0.15 * g else "no") if rng.random() < 0.9 else "NA"
        f.write(f"{name[i]},{country},{opened:%Y-%m-%d},{balance},{premium}\n")

with open("labels.csv", "w") as f:
    f.write("account,group\n")
    for i in sorted(rng.sample(range(ACCOUNTS), CHECKED)):
        f.write(f"{name[i]},{GROUPS[group[i]]}\n")
