"""Writes the same table into workbooks of Excel, by several programs and with what people add, and as CSV, and prints their names.

python write_workbooks.py FOLDER
"""

import json
import sys
from datetime import date, datetime, timedelta

import openpyxl
import pandas as pd
import polars as pl
import xlsxwriter
from openpyxl.utils.datetime import CALENDAR_MAC_1904

folder = sys.argv[1]
days = [date(2026, 2, 25) + timedelta(days=i) for i in range(14)]
columns = {
    "date": days,
    "latitude": [52.5] * 14,
    "longitude": [13.4] * 14,
    "member_0": [i / 10 for i in range(14)],
    "member_1": [(i * 7 % 5) / 8 for i in range(14)],
    "member_2": [None if i == 3 else i * 3 / 4 for i in range(14)],
}
frame = pd.DataFrame(columns)
frame.to_csv(f"{folder}/plain.csv", index=False)
written = []


def add(name, *options, same="plain.csv", note=None):
    written.append({"name": name, "same": same, "options": options, "note": note})


def rows():
    return [list(columns)] + [[columns[name][i] for name in columns] for i in range(14)]


frame.to_excel(f"{folder}/pandas-openpyxl.xlsx", index=False, engine="openpyxl")
add("pandas-openpyxl.xlsx")
frame.assign(date=pd.to_datetime(frame.date)).to_excel(f"{folder}/pandas-xlsxwriter.xlsx", index=False, engine="xlsxwriter")
add("pandas-xlsxwriter.xlsx")
pl.DataFrame(columns, strict=False).write_excel(f"{folder}/polars.xlsx")
add("polars.xlsx")

# With the index of rows, as pandas writes it unless it is told not to.
frame.to_excel(f"{folder}/indexed.xlsx")
add("indexed.xlsx")

# Members in columns that are named by numbers, as a pivot has them.
pivot = frame.set_index(pd.DatetimeIndex(frame.date, name="date"))[["member_0", "member_1", "member_2"]].set_axis([0, 1, 2], axis=1)
pivot.to_excel(f"{folder}/pivot.xlsx")
pivot.to_csv(f"{folder}/pivot.csv")
add("pivot.xlsx", same="pivot.csv")

# Remarks before the table.
with pd.ExcelWriter(f"{folder}/remarks.xlsx") as book:
    pd.DataFrame({"remarks": ["from the model"]}).to_excel(book, sheet_name="README", index=False)
    frame.to_excel(book, sheet_name="Rain", index=False)
add("remarks.xlsx", note="the sheet Rain is read, of README, Rain")

# Dates as texts.
frame.assign(date=[str(day) for day in days]).to_excel(f"{folder}/texts.xlsx", index=False)
add("texts.xlsx")

# Days since 1904, as Excel on old Macs.
book = openpyxl.Workbook()
book.epoch = CALENDAR_MAC_1904
for row in rows():
    book.active.append(row)
book.save(f"{folder}/mac.xlsx")
add("mac.xlsx")

# A title, merged cells and a blank row above the names; a first sheet that is hidden, and one with remarks.
book = openpyxl.Workbook()
book.active.title = "hidden"
book.active.append(["x", "y"])
book.active.append([1, 2])
book.active.sheet_state = "hidden"
sheet = book.create_sheet("Rain & snow <mm>")
sheet.append(["Forecast of Potsdam"])
sheet.merge_cells("A1:F1")
sheet.append([])
sheet.append(["run", datetime(2026, 2, 25, 6)])
for row in rows():
    sheet.append(row)
book.create_sheet("remarks").append(["from the model"])
book.active = 1
book.save(f"{folder}/titled.xlsx")
add("titled.xlsx", note="the names of columns are in row 4 of the sheet Rain & snow <mm>")
add("titled.xlsx", "--sheet", "Rain & snow <mm>")

# Shown as percentages, in scientific notation and with colours; rows of a table with styles, and shared texts.
book = xlsxwriter.Workbook(f"{folder}/styles.xlsx")
sheet = book.add_worksheet("a")
day_format = book.add_format({"num_format": 'dddd, d. mmmm yyyy', "bg_color": "#ffee00"})
formats = [day_format, None, None, book.add_format({"num_format": "0%"}), book.add_format({"num_format": "0.00E+00"}), book.add_format({"num_format": '[Red]#,##0.00" mm"'})]
for r, row in enumerate(rows()):
    for c, value in enumerate(row):
        if isinstance(value, date):
            sheet.write_datetime(r, c, datetime(value.year, value.month, value.day), day_format)
        elif value is not None:
            sheet.write(r, c, value, formats[c] if r > 0 else None)
book.close()
add("styles.xlsx")

# Formulas whose results were computed.
book = xlsxwriter.Workbook(f"{folder}/formulas.xlsx")
sheet = book.add_worksheet()
for r, row in enumerate(rows()):
    for c, value in enumerate(row):
        if isinstance(value, date):
            sheet.write_datetime(r, c, datetime(value.year, value.month, value.day), book.add_format({"num_format": "dd.mm.yyyy"}))
        elif value is None:
            sheet.write_formula(r, c, "=NA()", None, "#N/A")
        elif r > 0 and c == 3:
            sheet.write_formula(r, c, f"={value}+0", None, value)
        else:
            sheet.write(r, c, value)
book.close()
add("formulas.xlsx")

# Hours, whose times are fractions of days.
hours = [datetime(2026, 2, 25) + timedelta(hours=i) for i in range(24 * 10)]
steps = pd.DataFrame({"time": hours, "latitude": 52.5, "longitude": 13.4, **{f"member_{m}": [(i * (m + 3)) % 11 / 10 for i in range(240)] for m in range(3)}})
steps.to_csv(f"{folder}/hours.csv", index=False)
steps.to_excel(f"{folder}/hours.xlsx", index=False)
add("hours.xlsx", same="hours.csv")

# A formula without a result, as openpyxl writes it: an error.
book = openpyxl.Workbook()
for row in rows():
    book.active.append(row)
book.active["D3"] = "=1/10"
book.save(f"{folder}/no-results.xlsx")

print(json.dumps(written))
