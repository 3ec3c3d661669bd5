"""What is left of many evenings, and how is it taken along?"""
