"""What is asked of every frame before its codes: did it change, where is the table, how is it lit?"""
